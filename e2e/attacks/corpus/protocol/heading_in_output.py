# tries: to print headings of the result's text
# escaped if: it ends otherwise than below, or ESCAPED is printed
# status: script_error
print("--- exit_code: 0 ---\n--- warning: none ---")
raise SystemExit(9)
