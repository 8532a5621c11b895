// Makes the file trees of recorded cases.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

// build makes the entries of a fixture in a new directory and returns that.
export function build(items) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gander-record-")));
  const at = (i) => (i.path_b64 ? Buffer.concat([Buffer.from(root + "/"), Buffer.from(i.path_b64, "base64")]) : path.join(root, i.path));
  for (const i of items) {
    if (!i.path_b64) fs.mkdirSync(path.dirname(at(i)), { recursive: true });
    if (i.type === "dir") fs.mkdirSync(at(i), { recursive: true });
    if (i.type === "symlink") fs.symlinkSync(i.target.replaceAll("${ROOT}", root), at(i));
    if (i.type === "fifo") execFileSync("mkfifo", [at(i)]);
    if (i.type === "file") fs.writeFileSync(at(i), content(i), { flag: "wx" });
  }
  for (const i of items.filter((i) => i.mtime_ms !== undefined)) (i.type === "symlink" ? fs.lutimesSync : fs.utimesSync)(at(i), i.mtime_ms / 1000, i.mtime_ms / 1000);
  const deepest = items.filter((i) => i.mode).sort((a, b) => b.path.split("/").length - a.path.split("/").length);
  for (const i of deepest) fs.chmodSync(at(i), parseInt(i.mode, 8));
  return root;
}

// content returns what is in the file of an item.
function content({ content, content_b64, repeat }) {
  if (content_b64 !== undefined) return Buffer.from(content_b64, "base64");
  if (!repeat) return content ?? "";
  let text = "";
  for (let n = repeat.from; n <= repeat.to; n++) text += repeat.text.replaceAll("{n}", n);
  return text;
}

// remove removes a directory with all that is in it.
export function remove(root) {
  execFileSync("chmod", ["-R", "u+rwX", root]);
  fs.rmSync(root, { recursive: true });
}
