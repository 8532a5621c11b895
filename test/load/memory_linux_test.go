package load

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mostResident is how much memory a server may ever have had in use, in KiB.
const mostResident = 40_000_000 / 1024

// memoryIsBounded: a server that shows the beginning of something large never needs more memory than one that shows
// something small, but for the page.
func memoryIsBounded(t *testing.T, root string) {
	s := startServer(t, root)
	for _, c := range []struct{ tool, args string }{
		{"toolkit/tree", `{"path":".","max_depth":1}`},
		{"codex/list_dir", `{"dir_path":"` + root + `/wide"}`},
		{"codex/list_dir", `{"dir_path":"` + root + `/wide","limit":1000,"depth":9}`},
		{"toolkit/tree", `{"path":"wide","entry_kind":"all","max_entries":1000}`},
		{"forge/list_directory", `{"path":"wide"}`},
		{"forge/list_directory", `{"path":".","recursive":true}`},
		{"gemini/list_directory", `{"path":"` + root + `/wide"}`},
		{"codex/read_file", `{"file_path":"` + root + `/endless","limit":1}`},
		{"codex/read_file", `{"file_path":"` + root + `/line"}`},
		{"codex/read_file", `{"file_path":"` + root + `/line","mode":"indentation"}`},
		{"codex/read_file", `{"file_path":"` + root + `/line","mode":"indentation","indentation":{"anchor_line":3}}`},
	} {
		s.call(t, c.tool, c.args)
		peak := s.peak(t)
		t.Logf("%6d KiB after %s %s", peak, c.tool, strings.ReplaceAll(c.args, root, ""))
		if peak > mostResident {
			t.Errorf("%s %s: at its peak the server had %d KiB in use, more than %d", c.tool, c.args, peak, mostResident)
		}
	}
}

// A server is a process that answers JSON lines.
type server struct {
	process *os.Process
	in      *os.File
	out     *bufio.Reader
}

// startServer builds the program and starts it with one root.
func startServer(t *testing.T, root string) *server {
	t.Helper()
	program := filepath.Join(t.TempDir(), "gander")
	if out, err := exec.Command("go", "build", "-o", program, "gander/cmd/gander").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	stdin, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "jsonl", "--root", root)
	cmd.Stdin, cmd.Stderr = stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = stdin.Close()
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &server{cmd.Process, in, bufio.NewReader(out)}
}

// call makes a call that must be answered.
func (s *server) call(t *testing.T, name, args string) {
	t.Helper()
	if _, err := fmt.Fprintf(s.in, `{"id":1,"tool":%q,"args":%s}`+"\n", name, args); err != nil {
		t.Fatal(err)
	}
	if reply, err := s.out.ReadString('\n'); err != nil || !strings.HasPrefix(reply, `{"id":1,"ok":true,`) {
		t.Fatalf("%s %s: replied %.300q, %v", name, args, reply, err)
	}
}

// peak is the most memory that was ever resident, in KiB.
func (s *server) peak(t *testing.T) (kib int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscanf(rest, "%d kB", &kib); err != nil {
		t.Skip("this kernel does not tell the peak: ", err)
	}
	return kib
}
