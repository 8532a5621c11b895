//lint:file-ignore SA1019 clients of the revisions that have roots are tested as well

package load

import (
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/mcpserver"
)

// TestDeadDiskRoots serves a client whose root is on a file system that does not respond. Its calls
// must fail after the timeout. Each attempt may use one slot, and other clients must not be
// affected.
func TestDeadDiskRoots(t *testing.T) {
	t.Parallel() // it mostly waits
	root := fixture.Make(t, "live/f", "dead/")
	mountDead(t, root+"/dead")
	limits := gander.Limits{Timeout: deadline, MaxConcurrentCalls: 5}
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Limits: limits})
	connect := func(roots ...string) *mcp.ClientSession {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		for _, r := range roots {
			client.AddRoots(&mcp.Root{URI: "file://" + r})
		}
		clientEnd, serverEnd := mcp.NewInMemoryTransports()
		server := mcpserver.New(toolset, &mcpserver.Options{ClientRoots: len(roots) > 0})
		_, err := server.Connect(t.Context(), serverEnd, nil)
		testkit.Must(t, err)
		options := &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
		session, err := client.Connect(t.Context(), clientEnd, options)
		testkit.Must(t, err)
		t.Cleanup(func() { _ = session.Close() })
		return session
	}
	list := func(session *mcp.ClientSession) bool {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "list_dir", Arguments: map[string]any{"path": root + "/live"},
		})
		return err == nil && !r.IsError
	}
	inTime := func(what string, start time.Time) {
		t.Helper()
		if took := time.Since(start); took < deadline || took > deadline+promptly {
			t.Errorf("%s took %v", what, took)
		}
	}
	other := connect()
	narrow := connect(root + "/dead/sub")
	start := time.Now()
	if list(narrow) {
		t.Error("a call was answered although its client's roots cannot be opened")
	}
	inTime("opening the roots", start)
	if !list(other) {
		t.Error("another client's call failed")
	}
	for range 2 {
		if list(narrow) {
			t.Error("a call was answered although its client's roots cannot be opened")
		}
	}
	time.Sleep(1500 * time.Millisecond)
	if list(other) {
		t.Error("three of five slots are stuck, but a call succeeds")
	}
}
