// Reads {port, ca, name, token, clients, calls, rounds} from standard input. Connects the clients to the server at the name over
// HTTP/2, each from its own address. They list the tools, and make the calls in several rounds. Writes {different, slowest, tools,
// results} to standard output: the number of results that differ from those of the first client, the milliseconds of the slowest
// call, and what the first client received.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import http2 from "node:http2";
import { text } from "node:stream/consumers";

const { port, ca, name, token, clients, calls, rounds } = JSON.parse(await text(process.stdin));

// Returns a function with the signature of fetch that makes requests over one connection.
function fetchOver(connection) {
	return (url, { method = "GET", headers, body, signal } = {}) =>
		new Promise((resolve, reject) => {
			const { pathname } = new URL(url);
			const fields = Object.fromEntries(new Headers(headers));
			const stream = connection.request({ ":method": method, ":path": pathname, ":authority": name, ...fields }, { signal });
			stream.on("error", reject);
			stream.on("response", async ({ ":status": status, "content-type": type }) => {
				const received = await text(stream).catch(reject);
				resolve(new Response(received || null, { status, headers: type ? { "content-type": type } : {} }));
			});
			stream.end(body);
		});
}

async function connect(number) {
	const localAddress = `127.0.1.${number + 1}`;
	const connection = http2.connect(`https://127.0.0.1:${port}`, { ca, servername: name, localAddress });
	const transport = new StreamableHTTPClientTransport(new URL(`https://${name}/mcp`), {
		fetch: fetchOver(connection),
		requestInit: { headers: { Authorization: `Bearer ${token}` } },
	});
	const client = new Client({ name: "gander-test", version: "1" });
	await client.connect(transport);
	if (connection.alpnProtocol !== "h2" || connection.socket.localAddress !== localAddress) {
		throw new Error(`${connection.alpnProtocol} from ${connection.socket.localAddress}`);
	}
	return { client, connection };
}

let slowest = 0;
async function timed(promise) {
	const start = performance.now();
	const result = await promise;
	slowest = Math.max(slowest, performance.now() - start);
	return result;
}

const all = await Promise.all(Array.from({ length: clients }, (_, number) => connect(number)));
const received = await Promise.all(
	all.map(async ({ client }) => {
		const got = [];
		for (let round = 0; round < rounds; round++) {
			const { tools } = await timed(client.listTools());
			const results = [];
			for (const call of calls) {
				results.push(await timed(client.callTool(call)));
			}
			got.push(JSON.stringify({ tools: tools.map((tool) => tool.name), results }));
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		return got;
	}),
);
const different = received.flat().filter((one) => one !== received[0][0]).length;
console.log(JSON.stringify({ different, slowest, ...JSON.parse(received[0][0]) }));
for (const { client, connection } of all) {
	await client.close();
	connection.close();
}
