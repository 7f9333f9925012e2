# tries: to find what evil packages left for others
# escaped if: ESCAPED is printed
# dependencies: harmless
import harmless; print(harmless.ANSWER)
