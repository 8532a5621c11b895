// gander as a child process, with any number of calls at a time.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";

type Format = "anthropic" | "gemini" | "mcp" | "openai" | "openai-responses";
type Failure = { kind: string; message: string; code?: string; display?: string };
type Reply = { id: number } & ({ ok: true; content: string } | { ok: false; error: Failure });

/** A failed call. The kind is one of gander's kinds of errors; the code, if any, is the tool's own. */
export class GanderError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export class Gander {
  readonly definitions: object[];
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private last = 0;

  constructor(root: string, format: Format = "mcp", command = "gander") {
    const options = ["--format", format];
    this.definitions = JSON.parse(execFileSync(command, ["tools", ...options], { encoding: "utf8" }));
    const args = ["jsonl", "--root", root, ...options];
    this.child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: this.child.stdout! }).on("line", (line) => {
      const reply: Reply = JSON.parse(line);
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
    });
    const error = { kind: "failed", message: "gander has ended" };
    lines.on("close", () => this.waiting.forEach((answer, id) => answer({ id, ok: false, error })));
  }

  /** Calls a tool and returns its content, or throws a GanderError. */
  async call(tool: string, args: object): Promise<string> {
    const id = ++this.last;
    this.child.stdin!.write(JSON.stringify({ id, tool, args }) + "\n");
    const reply = await new Promise<Reply>((answer) => this.waiting.set(id, answer));
    if (!reply.ok) throw new GanderError(reply.error);
    return reply.content;
  }

  /** Ends the program after all calls are answered, and returns its exit code. */
  close(): Promise<number> {
    this.child.stdin!.end();
    return new Promise((ended) => this.child.on("close", ended));
  }
}

const gander = new Gander(process.argv[2], "openai");
const calls = [".", "attic"].map((path) => gander.call("tree", { path, max_depth: null }));
for (const result of await Promise.allSettled(calls)) {
  if (result.status === "fulfilled") console.log(result.value);
  else console.log(result.reason.failure.kind, "-", result.reason.message);
}
process.exitCode = await gander.close();
