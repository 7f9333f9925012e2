# tries: to walk from an object to os and read the host
# escaped if: something new is in the host's folder, or ESCAPED is printed
classes = ().__class__.__base__.__subclasses__()
loader = next(c for c in classes if c.__name__ == "BuiltinImporter")
print(loader.load_module("posix").listdir("@HOMEDIR@"))
