# tries: to run code in sandboxes that wait for a script
# escaped if: a process of it runs after the answer
# dependencies: evil-waiting
# status: ok script_error
print("the script")
