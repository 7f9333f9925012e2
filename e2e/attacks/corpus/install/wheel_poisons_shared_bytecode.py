# tries: to put bytecode into a wheel that other environments use, by files in that package's folder
# escaped if: another environment with that wheel gets them
# dependencies: victim, evil-overlay
# host check: shared_bytecode_stays_clean
import victim
