package mcpserver_test

import (
	"context"
	"log"
	"os"
	"strings"

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
