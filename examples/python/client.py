"""gander as a child process, with calls from any number of threads."""

import itertools
import json
import subprocess
import sys
import threading
from concurrent.futures import Future


class GanderError(Exception):
    """A failed call. The kind is one of gander's kinds of errors; the code is the tool's own, or None."""

    def __init__(self, kind, message, code=None, display=None):
        super().__init__(message)
        self.kind, self.code, self.display = kind, code, display or message


class Gander:
    def __init__(self, root, format="mcp", command="gander"):
        """Starts gander. The format of definitions is anthropic, gemini, mcp, openai or openai-responses."""
        self.definitions = json.loads(subprocess.check_output([command, "tools", "--format", format]))
        args, pipe = [command, "jsonl", "--root", root, "--format", format], subprocess.PIPE
        self.process = subprocess.Popen(args, stdin=pipe, stdout=pipe, encoding="utf-8", bufsize=1)
        self.ids, self.waiting, self.writing = itertools.count(1), {}, threading.Lock()
        threading.Thread(target=self._receive, daemon=True).start()

    def call(self, tool, args):
        """Starts a call. The future returns its content or raises a GanderError."""
        call, future = next(self.ids), Future()
        self.waiting[call] = future
        with self.writing:
            self.process.stdin.write(json.dumps({"id": call, "tool": tool, "args": args}) + "\n")
        return future

    def close(self):
        """Ends the program after all calls are answered, and returns its exit code."""
        self.process.stdin.close()
        return self.process.wait()

    def _receive(self):
        for line in self.process.stdout:
            reply = json.loads(line)
            future = self.waiting.pop(reply["id"])
            if reply["ok"]:
                future.set_result(reply["content"])
            else:
                future.set_exception(GanderError(**reply["error"]))
        for future in self.waiting.values():
            future.set_exception(EOFError("gander has ended"))


if __name__ == "__main__":
    gander = Gander(sys.argv[1], format="openai")
    for answer in [gander.call("tree", {"path": path, "max_depth": None}) for path in (".", "attic")]:
        error = answer.exception()
        print(f"{error.kind} - {error}" if error else answer.result())
    sys.exit(gander.close())
