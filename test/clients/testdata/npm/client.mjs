// Reads {url, calls} or {command, args, cwd, calls} from standard input, connects to the server over streamable HTTP or starts
// it, lists its tools, makes all the calls concurrently and writes {server, tools, results} to standard output.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { text } from "node:stream/consumers";

const { url, command, args, cwd, calls } = JSON.parse(await text(process.stdin));
const client = new Client({ name: "gander-test", version: "1" });
await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command, args, cwd }));
const { tools } = await client.listTools();
const results = await Promise.all(calls.map((call) => client.callTool(call)));
console.log(JSON.stringify({ server: client.getServerVersion()?.name, tools: tools.map((tool) => tool.name), results }));
await client.close();
