#!/usr/bin/env node
// Starts the program in the package for this platform, with the same arguments, standard streams and exit code.
"use strict";

const { spawn } = require("node:child_process");
const { name, version } = require("../package.json");

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "gander.exe" : "gander";
let program;
try {
  program = require.resolve(`${name}-${platform}/bin/${file}`);
} catch {
  console.error(
    `gander: the package ${name}-${platform} is missing. If there is one for this platform, ` +
      `install ${name}@${version} again, with its optional dependencies.`,
  );
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`gander: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
