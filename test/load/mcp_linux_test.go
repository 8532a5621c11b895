package load

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/mcpserver"
)

// A protocol is a protocol for calls over a pair of streams.
type protocol struct {
	opening string
	call    func(id int, tool, args string) string // returns a call as a line
	serve   func(ctx context.Context, ts *gander.Toolset, in io.Reader, out io.Writer) error
	// reply parses a line. It returns the ID of the call, or 0 if the line is not a reply to a call.
	// The outcome is "ok" or the kind of error.
	reply func(t testing.TB, line string) (id int, outcome, content string)
}

func overMCP() protocol {
	return protocol{
		opening: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{` +
			`"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n",
		call: func(id int, name, args string) string {
			names := strings.NewReplacer(
				"forge/list_directory", "forge_list_directory",
				"gemini/list_directory", "gemini_list_directory",
			)
			name = names.Replace(name)
			name = name[strings.Index(name, "/")+1:]
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call",`+
				`"params":{"name":%q,"arguments":%s}}`+"\n", id, name, args)
		},
		serve: func(ctx context.Context, ts *gander.Toolset, in io.Reader, out io.Writer) error {
			return mcpserver.ServeStdio(ctx, mcpserver.New(ts, nil), in, out)
		},
		reply: mcpReply,
	}
}

func mcpReply(t testing.TB, line string) (id int, outcome, content string) {
	var r struct {
		ID     int
		Error  *struct{ Message string }
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
	}
	testkit.Must(t, json.Unmarshal([]byte(line), &r))
	switch {
	case r.Error != nil:
		return r.ID, "protocol", r.Error.Message
	case len(r.Result.Content) == 0:
		return r.ID, "ok", ""
	case r.Result.IsError && strings.Contains(r.Result.Content[0].Text, "took longer than"):
		return r.ID, "timeout", ""
	case r.Result.IsError:
		return r.ID, r.Result.Content[0].Text, ""
	}
	return r.ID, "ok", r.Result.Content[0].Text
}
