# tries: to name an index in the metadata
# escaped if: something new is in the host's folder, or ESCAPED is printed
# status: invalid_script install_failed ok
# /// script
# dependencies = ["evil-absent"]
# [[tool.uv.index]]
# url = "http://127.0.0.1:@PORT@/@TOKEN@"
# default = true
# [tool.uv.sources]
# evil-absent = { path = "@HOMEDIR@" }
# ///
print("ESCAPED")
