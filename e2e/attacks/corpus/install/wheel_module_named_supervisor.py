# tries: to speak in the supervisor's place by a module of its name
# escaped if: ESCAPED is printed
# dependencies: evil-supervisor
# status: ok
print("the script")
