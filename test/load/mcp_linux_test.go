package load

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gander/internal/testkit"
)

// handshake starts a session over streams. Its reply has the ID 0.
func handshake() string {
	return opening("2025-11-25") + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
}

// opening returns the first request of a client.
func opening(revision string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
}

// callOf returns a call as a line. The names of some tools have the name of their set before them.
func callOf(id int, tool, args string) string {
	set, name, found := strings.Cut(tool, "/")
	if !found {
		name = tool
	} else if name == "list_directory" && set != "filesystem" {
		name = set + "_" + name
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call",`+
		`"params":{"name":%q,"arguments":%s}}`+"\n", id, name, args)
}

// parseReply parses a line. The ID is 0 if the line is not a reply to a call. The outcome is "ok"
// or the kind of error.
func parseReply(t testing.TB, line string) (id int, outcome, content string) {
	t.Helper()
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
