// Package program builds gander, starts it, and speaks MCP with it.
package program

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/testkit"
)

// Path builds the program once, and returns its path. TestMain calls [Main].
var Path = sync.OnceValues(func() (string, error) {
	path := filepath.Join(dir(), "gander")
	out, err := exec.Command("go", "build", "-o", path, "gander/cmd/gander").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func dir() string { return filepath.Join(os.TempDir(), fmt.Sprint("gander-", os.Getpid())) }

// Main runs tests, and removes the program that they built.
func Main(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(dir())
	os.Exit(code)
}

// A Process is a running program.
type Process struct {
	*os.Process
	In  *os.File
	Out *bufio.Reader
}

// Start starts the program. The cleanup closes its pipes and checks that it exits soon.
func Start(t *testing.T, args ...string) *Process {
	t.Helper()
	return start(t, os.Stderr, 0, args...)
}

// Serve starts gander mcp with args over HTTP, with at most handles open files unless 0. It returns
// the host and port.
func Serve(t *testing.T, handles int, args ...string) (p *Process, addr string) {
	t.Helper()
	r, w, err := os.Pipe()
	testkit.Must(t, err)
	p = start(t, w, handles, append([]string{"mcp", "--http", "0"}, args...)...)
	_ = w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	testkit.Must(t, err)
	t.Cleanup(func() {
		_ = p.Kill()
		_ = r.Close()
	})
	_, url, _ := strings.Cut(strings.TrimSpace(line), "http://")
	return p, strings.TrimSuffix(url, "/mcp")
}

func start(t *testing.T, stderr *os.File, handles int, args ...string) *Process {
	t.Helper()
	path, err := Path()
	testkit.Must(t, err)
	stdin, in, err := os.Pipe()
	testkit.Must(t, err)
	cmd := exec.Command(path, args...)
	if handles > 0 {
		limited := fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, handles)
		cmd = exec.Command("sh", append([]string{"-c", limited, path}, args...)...)
	}
	cmd.Stdin, cmd.Stderr = stdin, stderr
	out, err := cmd.StdoutPipe()
	testkit.Must(t, err)
	testkit.Must(t, cmd.Start())
	_ = stdin.Close()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		stop := time.AfterFunc(30*time.Second, func() {
			t.Error("the program still runs after its pipes are closed")
			_ = cmd.Process.Kill()
		})
		defer stop.Stop()
		_ = cmd.Wait()
	})
	return &Process{cmd.Process, in, bufio.NewReaderSize(out, 1<<20)}
}

// CheckPeak checks that the maximum resident memory until now is below a number of 10^6 bytes.
func (p *Process) CheckPeak(t *testing.T, megabytes int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
	testkit.Must(t, err)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kib := 0
	if _, err := fmt.Sscanf(rest, "%d kB", &kib); err != nil {
		t.Skip("this kernel does not report the peak: ", err)
	}
	t.Logf("%d KiB at the peak", kib)
	if kib > megabytes*1_000_000/1024 {
		t.Errorf("%d KiB at the peak, more than %d MB", kib, megabytes)
	}
}

// Handshake are the lines that begin a session over streams. The ID of the request is 0.
const Handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{` +
	`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` +
	"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// Call returns a call as a line. The tool is a name, or its id if the server has all tools: the
// names of some then have the name of their set before them, as in "codex_list_dir".
func Call(id int, tool, args string) string {
	set, name, found := strings.Cut(tool, "/")
	if !found {
		name = tool
	} else if slices.Contains([]string{"list_dir", "read_file", "list_directory"}, name) {
		name = set + "_" + name
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call",`+
		`"params":{"name":%q,"arguments":%s}}`+"\n", id, name, args)
}

// A Reply is a reply to a request.
type Reply struct {
	ID     int    // 0 if the request was unreadable
	Text   string // the text of the result or the error
	Failed bool
}

// ReadReply reads the next reply.
func ReadReply(t testing.TB, from *bufio.Reader) Reply {
	t.Helper()
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatal("no reply: ", err)
		}
		var message struct {
			ID     *int
			Error  *struct{ Message string }
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		testkit.Must(t, json.Unmarshal([]byte(line), &message))
		switch {
		case message.Error != nil && message.ID == nil:
			return Reply{Text: message.Error.Message, Failed: true}
		case message.ID == nil:
			continue // a notification
		case message.Error != nil:
			return Reply{*message.ID, message.Error.Message, true}
		case len(message.Result.Content) == 0:
			return Reply{ID: *message.ID}
		}
		return Reply{*message.ID, message.Result.Content[0].Text, message.Result.IsError}
	}
}

// Open begins a session with a server of all tools.
func Open(t *testing.T, root string, args ...string) *Process {
	t.Helper()
	p := Start(t, append([]string{"mcp", "--tools", "all", "--root", root}, args...)...)
	_, err := io.WriteString(p.In, Handshake)
	testkit.Must(t, err)
	ReadReply(t, p.Out)
	return p
}
