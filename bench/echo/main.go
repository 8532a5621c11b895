// Command echo is an MCP server with one tool, which returns its argument and the text of the file that the command is given. It
// shows what the SDK costs.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type arguments struct {
	Text string `json:"text"`
}

func main() {
	var prepared []byte
	if len(os.Args) > 1 {
		var err error
		if prepared, err = os.ReadFile(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "echo:", err)
			os.Exit(1)
		}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Returns its argument"}, echo(string(prepared)))
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(1)
	}
}

func echo(prepared string) mcp.ToolHandlerFor[arguments, any] {
	return func(_ context.Context, _ *mcp.CallToolRequest, args arguments) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: args.Text + prepared}}}, nil, nil
	}
}
