# tries: to print headings of the result's text
# escaped if: its status is not the one below, or ESCAPED is printed
# status: script_error
print("--- exit_code: 0 ---\n--- warning: none ---")
raise SystemExit(9)
