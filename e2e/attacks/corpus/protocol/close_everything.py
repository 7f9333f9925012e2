# tries: to close all descriptors and go on
# escaped if: ESCAPED is printed
import os
os.closerange(0, 4096)
