package load

import (
	"bufio"
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

// built is the directory of the program, if a test has built it.
var built string

// TestMain removes the program built by the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

// build builds the program once for all tests, and returns its path.
var build = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "gander-load-"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "gander")
	out, err := exec.Command("go", "build", "-o", path, "gander/cmd/gander").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// mcpArgs returns the program arguments to serve the reproductions over MCP.
func mcpArgs(root string, more ...string) []string {
	args := []string{"mcp", "--tools", "codex,gemini,forge,toolkit,filesystem", "--root", root}
	return append(args, more...)
}

// A process is a running instance of the program.
type process struct {
	*os.Process
	in  *os.File
	out *bufio.Reader
}

// startProgram starts the program. The cleanup closes its pipes and checks that it exits soon.
func startProgram(t *testing.T, args ...string) *process {
	t.Helper()
	path, err := build()
	testkit.Must(t, err)
	stdin, in, err := os.Pipe()
	testkit.Must(t, err)
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stderr = stdin, os.Stderr
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
	return &process{cmd.Process, in, bufio.NewReaderSize(out, 1<<20)}
}

// startAll starts a server of all tools for root. Tools with the same name are called SET_NAME.
func startAll(t *testing.T, root string) *process {
	p := startProgram(t, "mcp", "--tools", "all", "--root", root)
	_, err := io.WriteString(p.in, handshake())
	testkit.Must(t, err)
	_, err = p.out.ReadString('\n')
	testkit.Must(t, err)
	return p
}

// call calls a tool of a server of all tools. The call must succeed.
func (p *process) call(t *testing.T, id, args string) {
	t.Helper()
	set, name, _ := strings.Cut(id, "/")
	if slices.Contains([]string{"list_dir", "read_file", "list_directory"}, name) {
		name = set + "_" + name
	}
	_, err := io.WriteString(p.in, callOf(1, name, args))
	testkit.Must(t, err)
	line, err := p.out.ReadString('\n')
	testkit.Must(t, err)
	if _, outcome, _ := parseReply(t, line); outcome != "ok" {
		t.Fatalf("%s %s: replied %.300q", id, args, line)
	}
}

// peak returns the maximum resident memory, in KiB.
func (p *process) peak(t *testing.T) (kib int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
	testkit.Must(t, err)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscanf(rest, "%d kB", &kib); err != nil {
		t.Skip("this kernel does not report the peak: ", err)
	}
	return kib
}

// checkPeak checks that the maximum resident memory is at most limit KiB.
func (p *process) checkPeak(t *testing.T, limit int) {
	t.Helper()
	peak := p.peak(t)
	t.Logf("%d KiB at the peak", peak)
	if peak > limit {
		t.Errorf("%d KiB at the peak, more than %d", peak, limit)
	}
}
