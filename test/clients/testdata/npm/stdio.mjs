// Reads {command, args, cwd, calls} from standard input, starts the server, lists its tools, makes all the calls at once
// and writes {server, instructions, tools, results} to standard output.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { text } from "node:stream/consumers";

const { command, args, cwd, calls } = JSON.parse(await text(process.stdin));
const client = new Client({ name: "gander-test", version: "1" });
await client.connect(new StdioClientTransport({ command, args, cwd }));
const { tools } = await client.listTools();
const results = await Promise.all(calls.map((call) => client.callTool(call)));
console.log(JSON.stringify({
  server: client.getServerVersion()?.name,
  instructions: client.getInstructions(),
  tools,
  results,
}));
await client.close();
