package load

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/program"
	"gander/tool"
)

// mountDead mounts a FUSE file system at dir whose server completes the handshake with the kernel
// and reads no further requests. Revive stops the server: blocked and further requests then fail.
// It skips the test without permission to mount.
func mountDead(t *testing.T, dir string) (revive func()) {
	t.Helper()
	fuse, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip("needs FUSE: /dev/fuse: ", err)
	}
	revive = sync.OnceFunc(func() { _ = unix.Close(fuse) })
	options := fmt.Sprintf("fd=%d,rootmode=40755,user_id=%d,group_id=%d",
		fuse, os.Getuid(), os.Getgid())
	if err := unix.Mount("dead", dir, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		revive()
		t.Skip("needs the right to mount: ", err)
	}
	t.Cleanup(func() {
		revive()
		testkit.Must(t, unix.Unmount(dir, unix.MNT_DETACH))
	})
	// The first message is INIT, as defined in linux/fuse.h: a header of length, operation and
	// request, followed by the version. The reply has a header of length, error and request.
	in, out := make([]byte, 1<<16), make([]byte, 16+64)
	n, err := unix.Read(fuse, in)
	if err != nil || n < 56 || binary.NativeEndian.Uint32(in[4:]) != 26 {
		t.Fatalf("read %d bytes, %v, not INIT", n, err)
	}
	binary.NativeEndian.PutUint32(out, uint32(len(out)))
	copy(out[8:16], in[8:16])                         // request
	copy(out[16:24], in[40:48])                       // version of the kernel
	binary.NativeEndian.PutUint32(out[16+8:], 1<<16)  // max_readahead
	binary.NativeEndian.PutUint32(out[16+20:], 1<<16) // max_write
	binary.NativeEndian.PutUint32(out[16+24:], 1)     // time_gran
	binary.NativeEndian.PutUint16(out[16+16:], 64)    // max_background
	_, err = unix.Write(fuse, out)
	testkit.Must(t, err)
	return revive
}

// callsOf returns arguments for each tool that takes a path: dir, or a file in it.
func callsOf(t *testing.T, dir, file string) map[string]string {
	calls := map[string]string{
		"filesystem/read_multiple_files": fmt.Sprintf(`{"paths":[%q]}`, file),
	}
	for id, p := range testkit.PathTools() {
		path := dir
		if p.Reads {
			path = file
		}
		args, err := json.Marshal(p.Arguments(path))
		testkit.Must(t, err)
		calls[id] = string(args)
	}
	return calls
}

const (
	deadline = 500 * time.Millisecond
	// promptly is the maximum time until a call returns after its deadline. The promised time is 100
	// ms; a busy machine needs more.
	promptly = 1500 * time.Millisecond
	// stuck is the time until calls are considered stuck, with reserve.
	stuck = 1500 * time.Millisecond
)

// TestDeadDisk calls tools on a file system that does not respond. Only calls that access it may
// time out. If too many calls are stuck, further calls must fail immediately until the file system
// responds.
func TestDeadDisk(t *testing.T) {
	t.Parallel() // it mostly waits
	root := fixture.Make(t, "live/f", "dead/")
	revive := mountDead(t, root+"/dead")
	dead := callsOf(t, root+"/dead", root+"/dead/f")
	limits := gander.Limits{Timeout: deadline, MaxConcurrentCalls: 2 * len(dead)}
	toolset := openAll(t, root, limits)
	live := func() error {
		_, err := toolset.Call(t.Context(), "toolkit/tree", []byte(`{"path":"live"}`))
		return err
	}
	timesOut := func(id string) {
		start := time.Now()
		_, err := toolset.Call(t.Context(), id, []byte(dead[id]))
		took := time.Since(start)
		if !errors.Is(err, context.DeadlineExceeded) || took < deadline || took > deadline+promptly {
			t.Errorf("%s: after %v: %v, want a timeout", id, took, err)
		}
	}
	var all sync.WaitGroup
	for id := range dead {
		all.Go(func() { timesOut(id) })
	}
	time.Sleep(deadline / 10)
	if err := live(); err != nil {
		t.Errorf("while other calls wait: %v", err)
	}
	all.Wait()
	if err := live(); err != nil {
		t.Errorf("while half of the slots are stuck: %v", err)
	}
	timesOut("toolkit/tree")
	time.Sleep(stuck)
	start := time.Now()
	if err := live(); !errors.Is(err, tool.ErrBusy) || time.Since(start) > deadline/2 {
		t.Errorf("more than half of the slots are stuck: after %v: %v, want ErrBusy immediately",
			time.Since(start), err)
	}
	revive()
	for start := time.Now(); live() != nil; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("the disk is back: %v", live())
		}
	}
}

// TestDeadDiskProgram calls tools on a file system that does not respond over MCP. Other calls must
// succeed, and the program must exit at the end of its input and on SIGTERM even though system
// calls have not returned.
func TestDeadDiskProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, config := fixture.Make(t, "live/f", "dead/"), t.TempDir()+"/gander.toml"
	testkit.Must(t, os.WriteFile(config, []byte("limits.timeout = '500ms'\n"), 0o600))
	mountDead(t, root+"/dead")
	for _, end := range []string{"end of input", "SIGTERM"} {
		p := program.Open(t, root, "--config", config)
		start := time.Now()
		id := 0
		for dead, args := range callsOf(t, root+"/dead", root+"/dead/f") {
			live := program.Call(id+2, "toolkit/tree", `{"path":"`+root+`/live"}`)
			_, err := io.WriteString(p.In, program.Call(id+1, dead, args)+live)
			testkit.Must(t, err)
			id += 2
		}
		if end == "SIGTERM" {
			for range id / 2 {
				program.ReadReply(t, p.Out)
			}
			testkit.Must(t, p.Signal(unix.SIGTERM))
		} else {
			testkit.Must(t, p.In.Close())
			for range id {
				r := program.ReadReply(t, p.Out)
				timedOut := strings.Contains(r.Text, "took longer than")
				if isDead := r.ID%2 == 1; r.Failed != isDead || timedOut != isDead {
					t.Errorf("call %d: %+v", r.ID, r)
				}
			}
		}
		if rest, err := io.ReadAll(p.Out); err != nil || end != "SIGTERM" && len(rest) > 0 {
			t.Errorf("after %s: %q, %v", end, rest, err)
		}
		if took := time.Since(start); took > 2*deadline+promptly {
			t.Errorf("the session took %v", took)
		}
	}
}

// TestDeadDiskOutside calls every tool with paths outside the root on a file system that does not
// respond, and with a directory that contains symlinks to it. No call may access the file system.
func TestDeadDiskOutside(t *testing.T) {
	t.Parallel()
	top := fixture.Make(t, "w/d/f", "w/d/in => f", "w/d/out => ../../dead/x", "w/d/abs => {root}/dead",
		"w/d/deep => {root}/dead/x/y", "dead/", "way => dead/x")
	mountDead(t, top+"/dead")
	toolset := openAll(t, top+"/w", gander.Limits{Timeout: deadline})
	for _, path := range []string{
		top + "/dead/x", top + "/dead", top + "/way/y", top + "/dead/../w/d",
		top + "/w/d/out", top + "/w/d/abs/y", top + "/w/d/deep", top + "/w/d",
	} {
		for id, args := range callsOf(t, path, path) {
			start := time.Now()
			_, err := toolset.Call(t.Context(), id, []byte(args))
			if errors.Is(err, context.DeadlineExceeded) || time.Since(start) > deadline {
				t.Errorf("%s %s: after %v: %v", id, args, time.Since(start), err)
			}
			if path == top+"/w/d" && strings.Contains(id, "list_dir") && err != nil {
				t.Errorf("%s %s: %v", id, args, err)
			}
		}
	}
}
