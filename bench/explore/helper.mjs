// Answers lines of JSON for bench/explore: {"text"} is how many o200k tokens it has, {"tool", "args"} is what Gemini CLI's tool
// answers. The packages are found from the directory in which it runs.
import {createRequire} from 'node:module';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';
import {writeSync} from 'node:fs';

const require = createRequire(process.cwd() + '/');
const load = async name => import(pathToFileURL(require.resolve(name)));
for (const stream of ['log', 'info', 'debug', 'warn', 'error']) console[stream] = () => {};
process.stdout.write = () => true;

let encode, gemini;
try { encode = (await load('gpt-tokenizer/encoding/o200k_base')).encode; } catch {}
if (process.argv[2]) {
  try {
    const core = await load('@google/gemini-cli-core');
    const root = process.argv[2];
    const config = new core.Config({sessionId: 'explore', targetDir: root, cwd: root, debugMode: false, model: 'gemini-2.5-pro', question: '', coreTools: []});
    try { await config.initialize(); } catch {}
    const make = {list_directory: core.LSTool, read_file: core.ReadFileTool, glob: core.GlobTool, grep_search: core.GrepTool};
    gemini = async (name, args) => {
      const tool = new make[name](config, config.getMessageBus());
      const result = await tool.build(args).execute({abortSignal: new AbortController().signal, signal: new AbortController().signal});
      const parts = [result.llmContent].flat();
      return parts.map(p => typeof p === 'string' ? p : p.text ?? `[${p.inlineData?.mimeType}]`).join('\n');
    };
  } catch {}
}
const reply = value => {
  for (let rest = Buffer.from(JSON.stringify(value) + '\n'); rest.length > 0;) {
    try { rest = rest.subarray(writeSync(1, rest)); } catch (e) { if (e.code !== 'EAGAIN') throw e; }
  }
};
reply({tokens: encode ? 1 : 0, text: gemini ? 'gemini' : ''});
for await (const line of createInterface({input: process.stdin})) {
  const {text, tool, args} = JSON.parse(line);
  try {
    reply(tool ? {text: await gemini(tool, args)} : {tokens: encode(text, {allowedSpecial: 'all'}).length});
  } catch (e) {
    reply({text: 'Error: ' + e.message});
  }
}
