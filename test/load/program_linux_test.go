package load

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/testkit"
)

// built is the directory that holds the program, once a test has built it.
var built string

// TestMain removes the program that the tests have built.
func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

// build builds the program once for all tests of this package, and returns its path.
var build = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "gander-load-"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "gander")
	if out, err := exec.Command("go", "build", "-o", path, "gander/cmd/gander").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// A command is the program's command that serves a protocol.
type command struct {
	protocol
	name string
	args []string
}

// commands returns the command of every protocol.
func commands() []command {
	all := protocols()
	return []command{
		{all["JSON lines"], "JSON lines", []string{"jsonl"}},
		{all["MCP"], "MCP", []string{"mcp", "--tools", "codex,gemini,forge,toolkit,filesystem"}},
	}
}

// A process is the running program.
type process struct {
	*os.Process
	in  *os.File
	out *bufio.Reader
}

// startProgram starts the program. The test fails if the program does not exit soon after its pipes are closed, at the end
// of the test.
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
			t.Error("the program goes on after its pipes are closed")
			_ = cmd.Process.Kill()
		})
		defer stop.Stop()
		_ = cmd.Wait()
	})
	return &process{cmd.Process, in, bufio.NewReaderSize(out, 1<<20)}
}

// call makes a call in JSON lines that must succeed.
func (p *process) call(t *testing.T, name, args string) {
	t.Helper()
	_, err := fmt.Fprintf(p.in, `{"id":1,"tool":%q,"args":%s}`+"\n", name, args)
	testkit.Must(t, err)
	if reply, err := p.out.ReadString('\n'); err != nil || !strings.HasPrefix(reply, `{"id":1,"ok":true,`) {
		t.Fatalf("%s %s: replied %.300q, %v", name, args, reply, err)
	}
}

// peak returns the most memory that was resident, in KiB.
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
