"""Follows a hint to the letter: changes the arguments of the failed call as the hint says, and nothing else."""

import json
import re

STRING = r'"(?:[^"\\]|\\.)*"'
ARGUMENT = re.compile(r"(dependencies|timeout_seconds)=(\[[^\]]*\]|\d+)")
REPLACE = re.compile(f"replace ({STRING}) with ({STRING})")
FIRST = re.compile(f"put this line first: ({STRING})")
LEAVE_OUT = re.compile(f"leave out the lines that start with ({STRING})")

KEEP_ONLY = re.compile(f"keep only the lines that start with ({STRING}) or ({STRING}), without these characters")
DEDENT = re.compile(r"remove the first (\d+) characters of every line")

PROPOSAL = re.compile("|".join(each.pattern for each in (ARGUMENT, REPLACE, FIRST, LEAVE_OUT, KEEP_ONLY, DEDENT)))


def follow(hint: str, call: dict) -> dict:
    """The arguments of the next call."""
    changed = dict(call)
    for name, value in ARGUMENT.findall(hint):
        changed[name] = json.loads(value)
    for old, new in REPLACE.findall(hint):
        changed["script"] = replaced(changed["script"], json.loads(old), json.loads(new))
    for start in LEAVE_OUT.findall(hint):
        kept = [line for line in changed["script"].split("\n") if not line.lstrip().startswith(json.loads(start))]
        changed["script"] = "\n".join(kept)
    for prompts in KEEP_ONLY.findall(hint):
        changed["script"] = without_prompts(changed["script"], [json.loads(prompt) for prompt in prompts])
    for count in DEDENT.findall(hint):
        changed["script"] = "\n".join(line[int(count) :] for line in changed["script"].split("\n"))
    for line in FIRST.findall(hint):
        changed["script"] = json.loads(line) + "\n" + changed["script"]
    return changed


def replaced(script: str, old: str, new: str) -> str:
    """Whole words only: `np.float` is not part of `np.float64`."""
    before = r"(?<!\w)" if old[0].isidentifier() else ""
    after = r"(?!\w)" if old[-1].isidentifier() else ""
    return re.sub(before + re.escape(old) + after, lambda _: new, script)


def without_prompts(script: str, prompts: list[str]) -> str:
    """A prompt without text has no space behind it."""
    kept = []
    for line in script.split("\n"):
        prompt = next((each for each in prompts if (line + " ").startswith(each)), None)
        if prompt:
            kept.append(line[len(prompt) :])
    return "\n".join(kept)
