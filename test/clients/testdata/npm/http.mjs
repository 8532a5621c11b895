// Reads {url, calls} from standard input, connects over streamable HTTP, lists the server's tools, makes all the calls at
// once and writes {server, tools, results} to standard output.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { text } from "node:stream/consumers";

const { url, calls } = JSON.parse(await text(process.stdin));
const client = new Client({ name: "gander-test", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const results = await Promise.all(calls.map((call) => client.callTool(call)));
console.log(JSON.stringify({ server: client.getServerVersion()?.name, tools, results }));
await client.close();
