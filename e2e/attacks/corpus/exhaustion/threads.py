# tries: to start threads without end
# escaped if: its status is not the one below, or ESCAPED is printed
# status: script_error ok
import threading, time
try:
    for count in range(5000):
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
    print("ESCAPED")
except RuntimeError as error:
    print(count, error)
import os; os._exit(0)
