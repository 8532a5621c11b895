// Reads {framework, command, args, calls} from standard input, starts the server with the MCP client of a framework, lists
// the tools, makes the calls and writes {tools, results} to standard output. The content of a result is what the framework
// gives a model: a list of parts {text} or {data, mimeType}.
import { text } from "node:stream/consumers";

const { framework, command, args, calls } = JSON.parse(await text(process.stdin));

const drivers = {
  async "ai-sdk"() {
    const { createMCPClient } = await import("@ai-sdk/mcp");
    const { Experimental_StdioMCPTransport } = await import("@ai-sdk/mcp/mcp-stdio");
    const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport({ command, args }) });
    const tools = await client.tools();
    return {
      names: Object.keys(tools),
      async call(name, input) {
        const tool = tools[name];
        const output = await tool.execute(input, { toolCallId: "1", messages: [] });
        const { value } = await tool.toModelOutput({ toolCallId: "1", input, output });
        return value.map((part) => ({ text: part.text, data: part.data, mimeType: part.mediaType }));
      },
      close: () => client.close(),
    };
  },

  async langchain() {
    const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
    const client = new MultiServerMCPClient({ mcpServers: { gander: { transport: "stdio", command, args } } });
    const tools = await client.getTools();
    return {
      names: tools.map((tool) => tool.name),
      async call(name, input) {
        const tool = tools.find((tool) => tool.name === name);
        const { content } = await tool.invoke({ type: "tool_call", id: "1", name, args: input });
        if (typeof content === "string") return [{ text: content }];
        return content.map((part) => part.image_url ? fromURL(part.image_url.url) : { text: part.text, data: part.data, mimeType: part.mimeType ?? part.mime_type });
      },
      close: () => client.close(),
    };
  },

  async "openai-agents"() {
    const { MCPServerStdio, RunContext, getAllMcpTools } = await import("@openai/agents");
    const server = new MCPServerStdio({ name: "gander", command, args });
    await server.connect();
    const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
    return {
      names: tools.map((tool) => tool.name),
      async call(name, input) {
        const tool = tools.find((tool) => tool.name === name);
        const output = await tool.invoke(new RunContext(), JSON.stringify(input));
        return [output].flat().map((part) => typeof part === "string" ? { text: part } : part.image ? fromImage(part.image) : part);
      },
      close: () => server.close(),
    };
  },

  async mastra() {
    const { MCPClient } = await import("@mastra/mcp");
    const client = new MCPClient({ servers: { gander: { command, args } } });
    const tools = await client.getTools();
    return {
      names: Object.keys(tools).map((name) => name.replace("gander_", "")),
      async call(name, input) {
        return (await tools["gander_" + name].execute({ context: input })).content;
      },
      close: () => client.disconnect(),
    };
  },
};

function fromURL(url) {
  const [head, data] = url.split(";base64,");
  return { data, mimeType: head.replace("data:", "") };
}

function fromImage(image) {
  return typeof image === "string" ? fromURL(image) : { data: image.data, mimeType: image.mediaType };
}

const driver = await drivers[framework]();
const results = [];
for (const { name, arguments: input } of calls) {
  const content = await driver.call(name, input).catch((error) => [{ text: String(error?.message ?? error) }]);
  results.push({ content });
}
await driver.close();
process.stdout.write(JSON.stringify({ tools: driver.names, results }));
