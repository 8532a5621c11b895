// Records the cases of test/conformance/testdata/vectors/filesystem.json, and the definitions of the tools, again:
//
//   node bench/record/filesystem.mjs DIR            tells what the package in DIR answers otherwise, and exits with 1
//   node bench/record/filesystem.mjs DIR --write    also writes it to the files, for git diff to show
//
// DIR is the directory of the npm package @modelcontextprotocol/server-filesystem, for example
// node_modules/@modelcontextprotocol/server-filesystem. The script needs Linux. As root it becomes nobody, because some cases
// are about permissions.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { isDeepStrictEqual } from "node:util";

import { build, remove } from "./fixture.mjs";

const recorded = "2026.8.31"; // the release that the files hold
const hangs = 2000; // milliseconds after which nothing is taken for no answer
const [dir, flag] = process.argv.slice(2);
if (!dir || (flag && flag !== "--write")) {
  console.error("usage: node filesystem.mjs DIR [--write]");
  process.exit(2);
}
const { version } = JSON.parse(fs.readFileSync(path.join(dir, "package.json"), "utf8"));
const data = path.join(import.meta.dirname, "../../test/conformance/testdata");
const files = ["vectors/filesystem.json", "spec/filesystem_definitions.json"].map((name) => open(path.join(data, name)));
const [vectors, definitions] = files.map((f) => f.value);
if (process.getuid() === 0) {
  process.setgroups([]);
  process.setgid(65534);
  process.setuid(65534);
}

// open opens a JSON file while the permission to do so is still there.
function open(name) {
  const fd = fs.openSync(name, flag ? "r+" : "r");
  const text = fs.readFileSync(fd, "utf8");
  return { fd, value: JSON.parse(text) };
}

// write replaces the text of a file.
function write({ fd }, text) {
  fs.ftruncateSync(fd);
  fs.writeSync(fd, text, 0);
}

// start starts the server with the configuration of a case and returns a function that makes a request.
async function start(root, config) {
  const dirs = [config.workspace_root ?? root, ...(config.additional_workspace_dirs ?? [])];
  const env = { PATH: process.env.PATH, LC_ALL: "en_US.UTF-8", TZ: config.tz ?? "UTC", HOME: config.home ?? root };
  const server = spawn(process.execPath, [path.resolve(dir, "dist/index.js"), ...dirs], { cwd: root, env, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  let haveRoots;
  const roots = new Promise((resolve) => (haveRoots = resolve));
  readline.createInterface({ input: server.stdout }).on("line", (line) => {
    const m = JSON.parse(line);
    if (m.method === "roots/list") {
      send({ id: m.id, result: { roots: config.client_roots.map((uri) => ({ uri })) } });
      setTimeout(haveRoots, 200); // the server resolves the directories after the answer
    } else if (m.id !== undefined) waiting.get(m.id)?.(m.result ?? { error: m.error });
  });
  let id = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      if (method !== "initialize") setTimeout(resolve, hangs);
      send({ id, method, params });
    });
  const capabilities = config.client_roots ? { roots: {} } : {};
  await request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "record", version: "1" } });
  send({ method: "notifications/initialized" });
  if (config.client_roots) await roots;
  return { request, stop: () => server.kill("SIGKILL") };
}

// outcome returns a result in the form of the expectation that it is compared with.
function outcome(result, want) {
  if (!result) return { hangs: true };
  if (!result.content) return { ok: false, error: result.error };
  const { text } = result.content[0];
  if (result.isError) return { ok: false, message: text };
  if (want.content_blocks) return { ok: true, content_blocks: result.content, structured: result.structuredContent };
  const got = { ok: true, content: want.content !== undefined && matches(want.content, text) ? want.content : text };
  return want.structured ? { ...got, structured: result.structuredContent } : got;
}

// matches reports whether a text is the one that is wanted, in which ${DATE} and ${SIZE} stand for any.
function matches(want, text) {
  const quoted = want.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const date = "\\w{3} \\w{3} \\d{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT[+-]\\d{4} \\([^)]*\\)";
  return new RegExp("^" + quoted.replaceAll("\\$\\{DATE\\}", date).replaceAll("\\$\\{SIZE\\}", "\\d+") + "$").test(text);
}

let different = 0;
function report(name, want, got) {
  different++;
  console.log(`${name}\n  recorded ${JSON.stringify(want)}\n  answered ${JSON.stringify(got)}`);
}

for (const [fixture, items] of Object.entries(vectors.fixtures)) {
  const root = build(items);
  const servers = new Map();
  for (const c of vectors.cases.filter((c) => c.fixture === fixture)) {
    const { args, config } = JSON.parse(JSON.stringify({ args: c.args, config: c.config ?? {} }).replaceAll("${ROOT}", root));
    const key = JSON.stringify(config);
    if (!servers.has(key)) servers.set(key, await start(root, config));
    const result = await servers.get(key).request("tools/call", { name: c.tool.split("/")[1], arguments: args });
    if (!result) {
      servers.get(key).stop();
      servers.delete(key);
    }
    // A case of gander's own keeps what the server answers beside what is expected of gander.
    const which = c.original ? "original" : "expect";
    const got = outcome(result && JSON.parse(JSON.stringify(result).replaceAll(root, "${ROOT}")), c[which]);
    if (isDeepStrictEqual(got, c[which])) continue;
    report(c.name, c[which], got);
    c[which] = got;
  }
  for (const s of servers.values()) s.stop();
  remove(root);
}

const server = await start(os.tmpdir(), {});
const { tools } = await server.request("tools/list", {});
server.stop();
for (const [i, want] of definitions.tools.entries()) {
  const got = tools.find((t) => t.name === want.name);
  if (isDeepStrictEqual(got, want)) continue;
  report(`definition of ${want.name}`, want, got);
  definitions.tools[i] = got;
}

if (flag && different > 0) {
  vectors.source = vectors.source.replace(recorded, version);
  // The files keep their layouts: indented and in ASCII, and a tool on each line.
  write(files[0], JSON.stringify(vectors, null, 1).replace(/[\x7f-\uffff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")) + "\n");
  write(files[1], '{"tools":[\n' + definitions.tools.map((t) => JSON.stringify(t)).join(",\n") + "\n]}\n");
}
console.log(`${version}, recorded ${recorded}: ${different} of ${vectors.cases.length + definitions.tools.length} differ`);
process.exit(different > 0 ? 1 : 0);
