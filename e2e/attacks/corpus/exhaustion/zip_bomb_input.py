# tries: to hand back a file that grows when opened
# escaped if: ESCAPED is printed
import zipfile
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("zeros", b"\0" * (50 << 20))
