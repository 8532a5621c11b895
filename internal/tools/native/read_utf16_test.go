package native

import (
	"bytes"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestUTF16Memory checks that a large file in UTF-16 is not held in memory.
func TestUTF16Memory(t *testing.T) {
	root := t.TempDir()
	line := []byte("w\x00o\x00r\x00d\x00\n\x00")
	text := append([]byte("\xff\xfe"), bytes.Repeat(line, (decodedBytes-2)/len(line))...)
	if err := os.WriteFile(root+"/a.txt", text, 0o600); err != nil {
		t.Fatal(err)
	}
	text = nil
	read := newFiles(tooltest.Workspace(t, nil, root)).tool("read_file")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result, err := read.Call(t.Context(), tool.Call{Args: []byte(`{"path":"a.txt","offset":3000000,"limit":2}`)})
	runtime.ReadMemStats(&after)
	if err != nil || !strings.Contains(result.Text(), "3000001\tword") {
		t.Errorf("%.200q, %v", result.Text(), err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
		t.Errorf("%d KiB allocated", n>>10)
	}
}

// TestEncodingChanges reads a file that changes between UTF-16 and empty. No read may panic.
func TestEncodingChanges(t *testing.T) {
	root := t.TempDir()
	write(t, root, "a.txt")
	read := newFiles(tooltest.Workspace(t, nil, root)).tool("read_file")
	ctx := t.Context()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_ = os.WriteFile(root+"/a.txt", []byte("\xff\xfea\x00\n\x00"), 0o600)
			_ = os.Truncate(root+"/a.txt", 0)
		}
	}()
	calls := 20_000
	if testing.Short() {
		calls = 200
	}
	for range calls {
		if _, err := read.Call(ctx, tool.Call{Args: []byte(`{"path":"a.txt"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { <-done })
}

// TestHugePage checks that find_files accepts the largest offset and limit.
func TestHugePage(t *testing.T) {
	root := t.TempDir()
	var names []string
	count := 20_000
	if testing.Short() {
		count = 500
	}
	for i := range count {
		names = append(names, strconv.Itoa(i))
	}
	write(t, root, names...)
	find := newFiles(tooltest.Workspace(t, nil, root)).tool("find_files")
	for _, huge := range []string{number(1<<62 + 1), number(math.MaxInt), number(math.MaxInt / 2)} {
		huge = strings.ReplaceAll(huge, ",", "")
		for _, args := range []string{`{"limit":` + huge + `}`, `{"limit":` + huge + `,"sort":"modified"}`, `{"offset":` + huge + `,"limit":` + huge + `}`} {
			result, err := find.Call(t.Context(), tool.Call{Args: []byte(args)})
			want := "paths"
			if strings.Contains(args, "offset") {
				want = "no more paths"
			}
			if err != nil || !strings.Contains(result.Text(), want) {
				t.Errorf("%s: %q, %v", args, result.Text(), err)
			}
		}
	}
}
