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
	"gander/mcpserver"
	"gander/tool"
)

// A deadDisk is a mounted FUSE file system that does not respond. Its server completes the
// handshake with the kernel and reads no further requests.
type deadDisk struct{ fuse int }

// mountDead mounts a deadDisk at dir. It skips the test without permission to mount.
func mountDead(t *testing.T, dir string) *deadDisk {
	t.Helper()
	fuse, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("needs FUSE: /dev/fuse: ", err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40755,user_id=%d,group_id=%d",
		fuse, os.Getuid(), os.Getgid())
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

// handshake replies to the first message, INIT, as defined in linux/fuse.h. The message has a
// header of length, operation and request, followed by version and flags. The reply has a header of
// length, error and request.
func (d *deadDisk) handshake() error {
	const opInit = 26
	in := make([]byte, 1<<16)
	n, err := unix.Read(d.fuse, in)
	if err != nil || n < 56 || binary.NativeEndian.Uint32(in[4:]) != opInit {
		return fmt.Errorf("read %d bytes, %v, not INIT", n, err)
	}
	out := make([]byte, 16+64)
	binary.NativeEndian.PutUint32(out, uint32(len(out)))
	copy(out[8:16], in[8:16])                         // request
	copy(out[16:24], in[40:48])                       // version of the kernel
	binary.NativeEndian.PutUint32(out[16+8:], 1<<16)  // max_readahead
	binary.NativeEndian.PutUint32(out[16+20:], 1<<16) // max_write
	binary.NativeEndian.PutUint32(out[16+24:], 1)     // time_gran
	binary.NativeEndian.PutUint16(out[16+16:], 64)    // max_background
	if _, err := unix.Write(d.fuse, out); err != nil {
		return fmt.Errorf("answering INIT: %w", err)
	}
	return nil
}

// revive stops the server. Blocked and further requests then fail.
func (d *deadDisk) revive() {
	if d.fuse >= 0 {
		_ = unix.Close(d.fuse)
		d.fuse = -1
	}
}

// toolSets returns the sets of tools to call on the dead disk. Toolkit's tree is also called on the
// live directory.
func toolSets() [][]string {
	return [][]string{
		{"gander", "toolkit"}, {"codex", "gemini", "forge", "toolkit"}, {"filesystem", "toolkit"},
	}
}

// deadCalls returns the arguments of calls that access the dead disk, one for each tool of the
// sets.
func deadCalls(root string, sets ...string) map[string]string {
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
		set, _, _ := strings.Cut(id, "/")
		return !slices.Contains(sets, set)
	})
	return calls
}

const (
	deadline = 500 * time.Millisecond
	// promptly is the maximum time until a call returns after its deadline. The promised time is 100
	// ms; a busy machine needs more.
	promptly = 1500 * time.Millisecond
)

// TestDeadDisk calls tools on a file system that does not respond. Only calls that access it may
// time out. If too many calls are stuck, further calls must fail immediately until the file system
// responds.
func TestDeadDisk(t *testing.T) {
	for _, tools := range toolSets() {
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
	limits := gander.Limits{Timeout: deadline, MaxConcurrentCalls: 2 * len(dead)}
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: tools, Limits: limits})
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
	time.Sleep(1500 * time.Millisecond) // until the calls are considered stuck, with reserve
	start := time.Now()
	if err := live(); !errors.Is(err, tool.ErrBusy) || time.Since(start) > deadline/2 {
		t.Errorf("more than half of the slots are stuck: after %v: %v, want ErrBusy immediately",
			time.Since(start), err)
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

// TestDeadDiskOverMCP calls tools on a file system that does not respond over MCP. Other calls must
// succeed, and the session must end with its input even though system calls have not returned.
func TestDeadDiskOverMCP(t *testing.T) {
	root := fixture.Make(t, "live/f", "dead/")
	mountDead(t, root+"/dead")
	for _, tools := range toolSets() {
		t.Run(tools[0], func(t *testing.T) { deadDiskOverMCP(t, root, tools) })
	}
}

func deadDiskOverMCP(t *testing.T, root string, tools []string) {
	limits := gander.Limits{Timeout: deadline}
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: tools, Limits: limits})
	var input strings.Builder
	input.WriteString(handshake())
	id := 1
	want := map[int]string{}
	for dead, args := range deadCalls(root, tools...) {
		input.WriteString(callOf(id, dead, args))
		want[id] = "timeout"
		input.WriteString(callOf(id+1, "toolkit/tree", `{"path":"live","entry_kind":"all"}`))
		want[id+1] = "ok"
		id += 2
	}
	var out strings.Builder
	start := time.Now()
	testkit.Must(t, mcpserver.ServeStdio(t.Context(), mcpserver.New(toolset, nil),
		strings.NewReader(input.String()), &out))
	if took := time.Since(start); took > deadline+promptly {
		t.Errorf("the session took %v", took)
	}
	for line := range strings.Lines(out.String()) {
		id, outcome, content := parseReply(t, line)
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

// TestDeadDiskProgram checks that the program exits on SIGTERM even if a system call does not
// return.
func TestDeadDiskProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root := fixture.Make(t, "live/f", "dead/")
	mountDead(t, root+"/dead")
	s := startProgram(t, mcpArgs(root)...)
	dead := callOf(1, "codex/list_dir", deadCalls(root, "codex")["codex/list_dir"])
	live := callOf(2, "toolkit/tree", `{"path":"live"}`)
	_, err := io.WriteString(s.in, handshake()+dead+live)
	testkit.Must(t, err)
	for id := 0; id != 2; {
		line, err := s.out.ReadString('\n')
		testkit.Must(t, err)
		id, _, _ = parseReply(t, line)
	}
	testkit.Must(t, s.Signal(unix.SIGTERM))
	if rest, err := io.ReadAll(s.out); err != nil || len(rest) > 0 {
		t.Errorf("after SIGTERM: %q, %v", rest, err)
	}
}
