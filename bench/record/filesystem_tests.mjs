// Runs the tests that modelcontextprotocol/servers publishes for its filesystem server against gander:
//
//   node bench/record/filesystem_tests.mjs SOURCE MODULES GANDER
//
// SOURCE is src/filesystem of that repository, MODULES a node_modules directory with vitest and @modelcontextprotocol/sdk, and
// GANDER the program. Only the tests that start the server as a program are run, those that import its functions cannot be. The
// tests start dist/index.js with Node.js, so they are copied beside one that starts gander.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [source, modules, gander] = process.argv.slice(2).map((p) => path.resolve(p));
if (!gander) {
  console.error("usage: node filesystem_tests.mjs SOURCE MODULES GANDER");
  process.exit(2);
}
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "filesystem-tests-")));
fs.mkdirSync(path.join(dir, "__tests__"));
fs.mkdirSync(path.join(dir, "dist"));
fs.symlinkSync(modules, path.join(dir, "node_modules"));
fs.writeFileSync(path.join(dir, "package.json"), '{"type": "module"}');
for (const name of fs.readdirSync(path.join(source, "__tests__"))) {
  const text = fs.readFileSync(path.join(source, "__tests__", name), "utf8");
  if (text.includes("dist")) fs.writeFileSync(path.join(dir, "__tests__", name), text);
  else console.log(`${name}: not run, it imports functions of the server`);
}
fs.writeFileSync(
  path.join(dir, "dist/index.js"),
  `import { spawn } from "node:child_process";
const server = spawn(${JSON.stringify(gander)}, ["mcp", "--tools", "filesystem", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.on("close", (code) => process.exit(code ?? 1));
`,
);
const run = spawnSync(process.execPath, [path.join(modules, "vitest/vitest.mjs"), "run", "--globals", "--reporter=verbose", "--testTimeout=20000"], { cwd: dir, stdio: "inherit" });
fs.rmSync(dir, { recursive: true });
process.exit(run.status ?? 1);
