// Records the cases of test/conformance/testdata/vectors/codex_grep_files.json again:
//
//   node bench/record/codex_grep_files.mjs RG            tells what RG answers otherwise, and exits with 1
//   node bench/record/codex_grep_files.mjs RG --write    also writes it to the file, for git diff to show
//
// RG is a ripgrep, for example node_modules/@vscode/ripgrep/bin/rg of the npm package @vscode/ripgrep. What surrounds it in Codex is
// here as the commit before openai/codex #15775 has it.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { build, remove } from "./fixture.mjs";

const [rg, flag] = process.argv.slice(2);
if (!rg || (flag && flag !== "--write")) {
  console.error("usage: node codex_grep_files.mjs RG [--write]");
  process.exit(2);
}
const file = path.join(import.meta.dirname, "../../test/conformance/testdata/vectors/codex_grep_files.json");
const text = fs.readFileSync(file, "utf8");
const vectors = JSON.parse(text);
const version = spawnSync(rg, ["--version"], { encoding: "utf8" }).stdout.split("\n")[0];
const home = fs.mkdtempSync(path.join(os.tmpdir(), "gander-record-")); // without a configuration of git or ripgrep

// systemErrors are the texts of Rust for errors of the system.
const systemErrors = {
  ENOENT: "No such file or directory (os error 2)",
  EACCES: "Permission denied (os error 13)",
  ENOTDIR: "Not a directory (os error 20)",
  ELOOP: "Too many levels of symbolic links (os error 40)",
};

// parse returns the arguments of a call, or undefined if they are of the wrong types.
function parse({ pattern, include = null, path: at = null, limit = 100 }) {
  const text = (v) => v === null || typeof v === "string";
  if (typeof pattern !== "string" || !text(include) || !text(at) || !Number.isInteger(limit) || limit < 0) return;
  return { pattern: pattern.trim(), include: include?.trim(), at, limit };
}

// answer returns the outcome of a call.
function answer(root, args) {
  const failed = (message) => ({ ok: false, message });
  const call = parse(args);
  if (!call) return failed("failed to parse function arguments: ");
  if (!call.pattern) return failed("pattern must not be empty");
  if (!call.limit) return failed("limit must be greater than zero");
  const at = call.at === null ? root : call.at.startsWith("/") ? call.at : `${root}/${call.at}`;
  try {
    fs.statSync(at);
  } catch (err) {
    return failed(`unable to access \`${at}\`: ${systemErrors[err.code] ?? err.code}`);
  }
  const options = ["--files-with-matches", "--sortr=modified", "--regexp", call.pattern, "--no-messages"];
  if (call.include) options.push("--glob", call.include);
  const run = spawnSync(rg, [...options, "--", at], { cwd: root, env: { HOME: home }, timeout: 30_000 });
  if (run.status === 1) return { ok: true, content: "No matches found." };
  if (run.status !== 0) return failed(`rg failed: ${run.stderr}`);
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lines = run.stdout
    .toString("latin1") // a character for each byte
    .split("\n")
    .flatMap((line) => {
      try {
        return utf8.decode(Buffer.from(line, "latin1")) || [];
      } catch {
        return [];
      }
    });
  return { ok: true, content: lines.slice(0, Math.min(call.limit, 2000)).join("\n") };
}

// matches reports whether an outcome is the one that is wanted, which may say only what a message contains.
function matches(got, { message_contains: part, ...want }) {
  if (part === undefined) return isDeepStrictEqual(got, want);
  return !got.ok && got.message.includes(part);
}

// spaced returns a value as JSON in the layout of the file: on one line, with blanks, in ASCII.
function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value).replace(/[\x7f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  return `{${Object.entries(value).map(([k, v]) => `${spaced(k)}: ${spaced(v)}`).join(", ")}}`;
}

const lines = text.split("\n");
let different = 0;
for (const [fixture, items] of Object.entries(vectors.fixtures)) {
  const root = build(items);
  for (const c of vectors.cases.filter((c) => c.fixture === fixture)) {
    // A case of gander's own may keep what the original answers beside what is expected of gander.
    const which = c.original ? "original" : "expect";
    if (c.name.startsWith("[ours]") && !c.original) continue;
    const got = JSON.parse(JSON.stringify(answer(root, JSON.parse(JSON.stringify(c.args).replaceAll("${ROOT}", root)))).replaceAll(root, "${ROOT}"));
    if (matches(got, c[which])) continue;
    console.log(`${c.name}\n  recorded ${JSON.stringify(c[which])}\n  answered ${JSON.stringify(got)}`);
    different++;
    const line = lines.findIndex((l) => l.startsWith(`{"name": ${spaced(c.name)},`));
    c[which] = got;
    lines[line] = spaced(c) + (lines[line].endsWith(",") ? "," : "");
  }
  remove(root);
}
remove(home);
if (flag && different > 0) fs.writeFileSync(file, lines.join("\n"));
console.log(`${version}: ${different} of ${vectors.cases.length} differ from what is recorded, with ripgrep 15.0.0`);
process.exit(different > 0 ? 1 : 0);
