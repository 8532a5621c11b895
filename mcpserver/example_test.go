package mcpserver_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/mcpserver"
)

// A server on standard input and output, here with a client that sends one request.
func ExampleServeStdio() {
	ts, err := gander.Open(gander.Options{Roots: []string{"../testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	stdin := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	server := mcpserver.New(ts, &mcpserver.Options{Version: "v1"})
	if err := mcpserver.ServeStdio(context.Background(), server, stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{}}
}

// A server for any transport of the SDK.
func ExampleNew() {
	ts, err := gander.Open(gander.Options{Roots: []string{"../testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	ctx := context.Background()
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	if _, err := mcpserver.New(ts, nil).Connect(ctx, serverEnd, nil); err != nil {
		log.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "example"}, nil)
	client, err := c.Connect(ctx, clientEnd, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	tools, err := client.ListTools(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range tools.Tools {
		fmt.Println(t.Name)
	}
	// Output:
	// find_files
	// list_dir
	// read_file
	// search_text
}
