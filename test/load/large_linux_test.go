package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/program"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// makeLarge makes a directory "wide" of 200,000 files, and several files. Sparse ones are
// "endless", one line of 100 GB; "prose", the same but with text first; "long", like "prose" with
// 256 MB; "line", a line of 512 MB between two lines of one byte; and "less", the same with 64 MB.
// "slow" has lines that are expensive to search. If possible, the file system is in memory.
func makeLarge(t *testing.T) (root string) {
	t.Helper()
	root, err := os.MkdirTemp("/dev/shm", "gander-test-")
	if err != nil {
		root = t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	testkit.Must(t, os.Mkdir(root+"/wide", 0o755))
	const entries, links = 200_000, 50_000 // links per file; they are faster to make than files
	source := ""
	for i := range entries {
		path := fmt.Sprintf("%s/wide/file-%07d.go", root, i*7919%entries)
		if i%links == 0 {
			source = path
			err = os.WriteFile(path, nil, 0o644)
		} else {
			err = os.Link(source, path)
		}
		testkit.Must(t, err)
	}
	text := strings.Repeat("x", 64<<10)
	writeLarge(t, root+"/endless", "", 100<<30, "")
	writeLarge(t, root+"/prose", text, 100<<30, "")
	writeLarge(t, root+"/long", text, 256<<20, "")
	writeLarge(t, root+"/line", "a\n", 512<<20, "\nb\n")
	writeLarge(t, root+"/less", "a\n", 64<<20, "\nb\n")
	slow := strings.Repeat("abcabcbacb aab cba ", 1<<16) + "\n"
	writeLarge(t, root+"/slow", strings.Repeat(slow, 40), 0, "")
	return root
}

// writeLarge makes a file of zeros between two strings.
func writeLarge(t *testing.T, path, before string, zeros int64, after string) {
	t.Helper()
	f, err := os.Create(path)
	testkit.Must(t, err)
	defer f.Close()
	_, err = f.WriteString(before)
	testkit.Must(t, err)
	_, err = f.WriteAt([]byte(after), int64(len(before))+zeros)
	testkit.Must(t, err)
	if after == "" {
		testkit.Must(t, f.Truncate(int64(len(before))+zeros))
	}
}

// TestLarge makes calls on a very large directory and very large files, which are the rows of
// testdata/large.txt. Calls return soon after they are canceled and after their timeout, and pages
// need little memory.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a directory of 200,000 files")
	}
	root := makeLarge(t)
	for heading, rows := range tooltest.Rows(t, "large.txt") {
		t.Run(heading, func(t *testing.T) {
			var calls [][2]string
			for row := range strings.Lines(strings.ReplaceAll(rows, "ROOT", root) + "\n") {
				id, args, _ := strings.Cut(strings.TrimSpace(row), " ")
				calls = append(calls, [2]string{id, args})
			}
			if heading == "end early" {
				endEarly(t, root, calls)
				return
			}
			p := program.Open(t, root)
			for _, c := range calls {
				_, err := io.WriteString(p.In, program.Call(1, c[0], c[1]))
				testkit.Must(t, err)
				if r := program.ReadReply(t, p.Out); r.Failed {
					t.Errorf("%s %s: %+v", c[0], c[1], r)
				}
			}
			megabytes := 0
			_, err := fmt.Sscanf(heading, "need %d MB", &megabytes)
			testkit.Must(t, err)
			p.CheckPeak(t, megabytes)
		})
	}
}

// endEarly checks that every call returns soon after its context is canceled at several points, and
// after its timeout expires.
func endEarly(t *testing.T, root string, calls [][2]string) {
	const soon = 2 * time.Millisecond
	// A call that ignores its context takes longer, even on a slow machine.
	const tooLong = 5 * time.Second
	const noticed = 100 * time.Millisecond // beside other tests, timers are late
	for _, tt := range []struct {
		timeout, end time.Duration
		want         tool.Kind
	}{
		{soon, soon, tool.Timeout},
		{-1, 0, tool.Cancelled},
		{-1, soon, tool.Cancelled},
		{-1, 10 * soon, tool.Cancelled},
	} {
		toolset := openAll(t, root, gander.Limits{Timeout: tt.timeout})
		for _, c := range calls {
			ctx, cancel := context.WithCancel(t.Context())
			end := time.Now().Add(tt.end)
			if tt.want == tool.Cancelled {
				time.AfterFunc(tt.end, cancel)
			}
			result, err := toolset.Call(ctx, c[0], []byte(c[1]))
			took := time.Since(end)
			cancel()
			failure, _ := errors.AsType[*tool.Error](err)
			early := err == nil && took < noticed // it ended before, or before its end was noticed
			if !early && (failure == nil || failure.Kind != tt.want) || took > tooLong {
				t.Errorf("%s %s: %.100q, %v, %v after its end", c[0], c[1], result.Text(), err, took)
			}
		}
	}
}
