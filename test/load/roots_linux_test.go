//lint:file-ignore SA1019 clients of the revisions that have roots are tested as well

package load

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
	"gander/internal/testkit/program"
	"gander/mcpserver"
)

// TestDeadDiskRoots serves a client of the official server's tools whose root is on a file system
// that does not respond. All calls must use the whole workspace, even after many
// changes of the roots.
func TestDeadDiskRoots(t *testing.T) {
	t.Parallel() // it mostly waits
	root := fixture.Make(t, "live/f", "dead/")
	mountDead(t, root+"/dead")
	toolset := testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"filesystem"},
		Limits: gander.Limits{Timeout: deadline, MaxConcurrentCalls: 5},
	})
	connect := func(roots ...string) (*mcp.Client, *mcp.ClientSession) {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		for _, r := range roots {
			client.AddRoots(&mcp.Root{URI: "file://" + r})
		}
		clientEnd, serverEnd := mcp.NewInMemoryTransports()
		_, err := mcpserver.New(toolset, nil).Connect(t.Context(), serverEnd, nil)
		testkit.Must(t, err)
		options := &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
		session, err := client.Connect(t.Context(), clientEnd, options)
		testkit.Must(t, err)
		t.Cleanup(func() { _ = session.Close() })
		return client, session
	}
	list := func(session *mcp.ClientSession) bool {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "list_directory", Arguments: map[string]any{"path": root + "/live"},
		})
		return err == nil && !r.IsError
	}
	_, other := connect()
	client, narrow := connect(root + "/dead/sub")
	for i := range 4 {
		if !list(narrow) || !list(other) {
			t.Errorf("a call failed while roots are opened, after %d changes", i)
		}
		client.AddRoots(&mcp.Root{URI: fmt.Sprint("file://", root, "/dead/", i)})
		time.Sleep(deadline)
	}
}

// changeRoots runs a client of the program's filesystem tools that alternates between changing its
// roots and calling a tool, until ctx is done. The program must hold few handles.
func changeRoots(ctx context.Context, t *testing.T, root string) {
	path, err := program.Path()
	testkit.Must(t, err)
	cmd := exec.Command(path, "mcp", "--tools", "filesystem", "--root", root)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd},
		&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	testkit.Must(t, err)
	defer session.Close()
	most := 0
	for n := 0; ctx.Err() == nil; n++ {
		var roots []*mcp.Root
		for i := range 32 {
			roots = append(roots, &mcp.Root{URI: fmt.Sprintf("file://%s/roots/%d", root, (n+i)%64)})
		}
		client.AddRoots(roots...)
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "list_allowed_directories", Arguments: map[string]any{},
		})
		if err != nil || r.IsError {
			t.Errorf("after %d changes: %+v, %v", n, r, err)
			return
		}
		client.RemoveRoots(roots[0].URI, roots[1].URI)
		most = max(most, handles.CountOf(t, cmd.Process.Pid))
		time.Sleep(time.Millisecond)
	}
	if t.Logf("%d handles while roots changed", most); most > 200 {
		t.Errorf("%d handles while roots changed", most)
	}
}
