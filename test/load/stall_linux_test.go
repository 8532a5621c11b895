package load

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// A deadDisk is a mounted FUSE file system that does not answer: its server has completed the
// handshake with the kernel and reads nothing after that.
type deadDisk struct{ fuse int }

// mountDead mounts a deadDisk at dir. It skips the test where that is not permitted.
func mountDead(t *testing.T, dir string) *deadDisk {
	t.Helper()
	fuse, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("needs FUSE: /dev/fuse: ", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40755,user_id=%d,group_id=%d", fuse, os.Getuid(), os.Getgid())
	if err := unix.Mount("dead", dir, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		_ = unix.Close(fuse)
		t.Skip("needs the right to mount: ", err)
	}
	d := &deadDisk{fuse}
	t.Cleanup(func() {
		d.revive()
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	testkit.Must(t, d.handshake())
	return d
}

// handshake answers the first message, INIT, as linux/fuse.h defines it: a header of length,
// operation and request, then version and flags. The answer has a header of length, error and
// request.
func (d *deadDisk) handshake() error {
	const opInit = 26
	in := make([]byte, 1<<16)
	n, err := unix.Read(d.fuse, in)
	if err != nil || n < 56 || binary.NativeEndian.Uint32(in[4:]) != opInit {
		return fmt.Errorf("read %d bytes, %v, not INIT", n, err)
	}
	out := make([]byte, 16+64)
	binary.NativeEndian.PutUint32(out, uint32(len(out)))
	copy(out[8:16], in[8:16])                         // the request
	copy(out[16:24], in[40:48])                       // the version that the kernel has
	binary.NativeEndian.PutUint32(out[16+8:], 1<<16)  // read ahead
	binary.NativeEndian.PutUint32(out[16+20:], 1<<16) // largest write
	binary.NativeEndian.PutUint32(out[16+24:], 1)     // granularity of times
	binary.NativeEndian.PutUint16(out[16+16:], 64)    // requests in the background
	if _, err := unix.Write(d.fuse, out); err != nil {
		return fmt.Errorf("answering INIT: %w", err)
	}
	return nil
}

// revive ends the server: what waits for it fails, and so do later calls.
func (d *deadDisk) revive() {
	if d.fuse >= 0 {
		_ = unix.Close(d.fuse)
		d.fuse = -1
	}
}

// families are the tools that are called on the dead disk. Toolkit's tree also lists what is alive.
func families() [][]string {
	return [][]string{{"gander", "toolkit"}, {"codex", "gemini", "forge", "toolkit"}, {"filesystem", "toolkit"}}
}

// deadCalls returns the arguments of a call of each tool of some families that needs the dead disk.
func deadCalls(root string, families ...string) map[string]string {
	calls := map[string]string{
		"gander/list_dir":       `{"path":"dead"}`,
		"gander/read_file":      `{"path":"dead/f"}`,
		"gander/find_files":     `{"pattern":"*.go"}`,
		"gander/search_text":    `{"pattern":"x"}`,
		"codex/list_dir":        `{"dir_path":"` + root + `/dead"}`,
		"codex/read_file":       `{"file_path":"` + root + `/dead/f"}`,
		"codex/grep_files":      `{"pattern":"x","path":"` + root + `/dead"}`,
		"gemini/list_directory": `{"path":"` + root + `/dead"}`,
		"forge/list_directory":  `{"path":"dead"}`,
		"toolkit/tree":          `{"path":"dead","entry_kind":"all"}`,

		"filesystem/read_text_file":      `{"path":"dead/f"}`,
		"filesystem/read_multiple_files": `{"paths":["live/f","dead/f"]}`,
		"filesystem/directory_tree":      `{"path":"."}`,
		"filesystem/search_files":        `{"path":".","pattern":"**"}`,
	}
	maps.DeleteFunc(calls, func(id, _ string) bool {
		family, _, _ := strings.Cut(id, "/")
		return !slices.Contains(families, family)
	})
	return calls
}

const (
	deadline = 500 * time.Millisecond
	// promptly stands for the promised 100 ms after the deadline; it is longer for the sake of busy
	// machines.
	promptly = 1500 * time.Millisecond
)

// TestDeadDisk: a file system that does not answer costs the calls that need it a timeout and no
// other, and once too many are stuck every call is refused at once, until it answers.
func TestDeadDisk(t *testing.T) {
	for _, tools := range families() {
		t.Run(tools[0], func(t *testing.T) {
			t.Parallel() // it mostly waits
			deadDiskStalls(t, tools)
		})
	}
}

func deadDiskStalls(t *testing.T, tools []string) {
	root := fixture.Make(t, "live/f", "dead/")
	disk := mountDead(t, root+"/dead")
	dead := deadCalls(root, tools...)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: tools, Limits: gander.Limits{Timeout: deadline, MaxConcurrentCalls: 2 * len(dead)}})
	live := func() error {
		_, err := toolset.Call(t.Context(), "tree", []byte(`{"path":"live"}`))
		return err
	}
	stuck := 0
	for id, args := range dead {
		start := time.Now()
		_, err := toolset.Call(t.Context(), id, []byte(args))
		took := time.Since(start)
		if !errors.Is(err, context.DeadlineExceeded) || took < deadline || took > deadline+promptly {
			t.Errorf("%s: after %v: %v, want a timeout", id, took, err)
		}
		t.Logf("%s: timed out %v after its deadline", id, took-deadline)
		stuck++
		if err := live(); err != nil {
			t.Errorf("%d calls are stuck, another: %v", stuck, err)
		}
	}
	_, err := toolset.Call(t.Context(), "tree", []byte(`{"path":"dead"}`))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one more call: %v", err)
	}
	time.Sleep(1500 * time.Millisecond) // a busy machine is given some of that
	start := time.Now()
	if err := live(); !errors.Is(err, tool.ErrBusy) || time.Since(start) > deadline/2 {
		t.Errorf("more than half of the places are stuck: after %v: %v, want ErrBusy at once", time.Since(start), err)
	}
	disk.revive()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		err := live()
		if err == nil {
			break
		}
		if time.Since(start) > 10*time.Second {
			t.Fatalf("the disk is back: %v", err)
		}
	}
}

// TestDeadDiskOverMCP: the same over MCP, where other calls go on beside the one that is stuck, and
// the session ends with its input although system calls have not returned.
func TestDeadDiskOverMCP(t *testing.T) {
	root := fixture.Make(t, "live/f", "dead/")
	mountDead(t, root+"/dead")
	for _, tools := range families() {
		t.Run(tools[0], func(t *testing.T) { deadDiskOverMCP(t, root, tools) })
	}
}

func deadDiskOverMCP(t *testing.T, root string, tools []string) {
	p := overMCP()
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: tools, Limits: gander.Limits{Timeout: deadline}})
	var input strings.Builder
	input.WriteString(p.opening)
	id := 1
	want := map[int]string{}
	for dead, args := range deadCalls(root, tools...) {
		input.WriteString(p.call(id, dead, args))
		want[id] = "timeout"
		input.WriteString(p.call(id+1, "toolkit/tree", `{"path":"live","entry_kind":"all"}`))
		want[id+1] = "ok"
		id += 2
	}
	var out strings.Builder
	start := time.Now()
	if err := p.serve(t.Context(), toolset, strings.NewReader(input.String()), &out); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > deadline+promptly {
		t.Errorf("the session took %v", took)
	}
	for line := range strings.Lines(out.String()) {
		id, outcome, content := p.reply(t, line)
		if id == 0 {
			continue
		}
		if outcome != want[id] || outcome == "ok" && !strings.Contains(content, `"name":"f"`) {
			t.Errorf("call %d: %s, want %s: %s", id, outcome, want[id], content)
		}
		delete(want, id)
	}
	if len(want) > 0 {
		t.Errorf("no replies to %v", want)
	}
}

// TestDeadDiskProgram: the program ends when it is told to, although a system call has not
// returned.
func TestDeadDiskProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root := fixture.Make(t, "live/f", "dead/")
	mountDead(t, root+"/dead")
	p := overMCP()
	s := startProgram(t, mcpArgs(root)...)
	_, err := io.WriteString(s.in, p.opening+p.call(1, "codex/list_dir", deadCalls(root, "codex")["codex/list_dir"])+p.call(2, "toolkit/tree", `{"path":"live"}`))
	testkit.Must(t, err)
	for id := 0; id != 2; {
		line, err := s.out.ReadString('\n')
		testkit.Must(t, err)
		id, _, _ = p.reply(t, line)
	}
	testkit.Must(t, s.Signal(unix.SIGTERM))
	if rest, err := io.ReadAll(s.out); err != nil || len(rest) > 0 {
		t.Errorf("after SIGTERM: %q, %v", rest, err)
	}
}
