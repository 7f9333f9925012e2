"""Draws, filters, scales, encodes and decodes; the image it keeps comes back."""

import io

from PIL import Image, ImageDraw, ImageFilter, ImageFont

picture = Image.new("RGB", (200, 100), "white")
draw = ImageDraw.Draw(picture)
draw.rectangle((20, 20, 80, 80), fill="red")
draw.text((100, 40), "größe", fill="black", font=ImageFont.load_default(20))
print(picture.getpixel((50, 50)), picture.filter(ImageFilter.GaussianBlur(3)).getpixel((20, 50))[0] > 200)
for form in ("JPEG", "WEBP", "GIF"):
    buffer = io.BytesIO()
    picture.resize((100, 50)).save(buffer, form)
    print(form, Image.open(io.BytesIO(buffer.getvalue())).size)
picture.save("picture.png")

# prints:
# (255, 0, 0) True
# JPEG (100, 50)
# WEBP (100, 50)
# GIF (100, 50)
