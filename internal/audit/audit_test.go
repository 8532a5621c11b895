package audit

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander/internal/testkit/fixture"
	"gander/tool"
)

func records(t *testing.T, name string) (all []tool.Record) {
	t.Helper()
	f, err := os.Open(name)
	fixture.Must(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var r tool.Record
		fixture.Must(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	fixture.Must(t, lines.Err())
	return all
}

// TestHostileNames records names with line feeds, escapes, invalid UTF-8 and other characters: each
// record is one line of printable ASCII, and says the same when it is read.
func TestHostileNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit")
	l, err := Open(Options{File: file, Required: true})
	fixture.Must(t, err)
	for _, name := range []string{
		"a\nb", "\x1b[31m", "\u202e\u2028\u2029", "\xff\xfe", "\U0001F600\u007f", `{"tool":"x"}`, strings.Repeat("x", 4096),
	} {
		r := tool.Record{
			Tool: "t", Arguments: name, Opened: []tool.Opened{{Path: name, Bytes: 3}},
			Refused: []tool.Refused{{Path: name, Pattern: name}}, Client: tool.Client{Token: name},
		}
		fixture.Must(t, l.Record(context.Background(), r))
		want := strings.ToValidUTF8(name, "\ufffd")
		all := records(t, file)
		got := all[len(all)-1]
		if name != "\xff\xfe" && (got.Opened[0].Path != want || got.Client.Token != want) {
			t.Errorf("%q is recorded as %q", name, got.Opened[0].Path)
		}
	}
	fixture.Must(t, l.Close())
	text, err := os.ReadFile(file)
	fixture.Must(t, err)
	for i, c := range text {
		if (c < ' ' || c > '~') && c != '\n' {
			t.Fatalf("byte %d is %q", i, c)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestRotation writes from many goroutines: nothing is twice in the two files.
func TestRotation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit")
	l, err := Open(Options{File: file, Bytes: 1 << 20, Required: true})
	fixture.Must(t, err)
	const calls = 10_000
	var group sync.WaitGroup
	for g := range 10 {
		group.Go(func() {
			for i := range calls / 10 {
				r := tool.Record{Tool: fmt.Sprint(g*calls/10 + i)}
				if err := l.Record(context.Background(), r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	fixture.Must(t, l.Close())
	seen := make(map[string]int)
	for _, name := range []string{file, file + ".1"} {
		for _, r := range records(t, name) {
			seen[r.Tool]++
		}
	}
	for tool, count := range seen {
		if count != 1 {
			t.Errorf("record %s is there %d times", tool, count)
		}
	}
	if len(seen) < 5000 || len(seen) > calls {
		t.Errorf("%d records", len(seen))
	}
}

// TestOpen checks which files cannot be used, and what happens to a line that a killed process began.
func TestOpen(t *testing.T) {
	top := t.TempDir()
	file := filepath.Join(top, "audit")
	fixture.Must(t, os.WriteFile(file, []byte(`{"tool":"x"}`+"\n"+`{"tool":`), 0o600))
	l, err := Open(Options{File: file})
	fixture.Must(t, err)
	if second, err := Open(Options{File: file}); err == nil {
		second.Close()
		t.Error("two logs use a file")
	}
	fixture.Must(t, l.Record(context.Background(), tool.Record{Tool: "y", Time: time.Now()}))
	fixture.Must(t, l.Close())
	f, err := os.Open(file)
	fixture.Must(t, err)
	defer f.Close()
	summary, err := Summarize(f, time.Time{})
	fixture.Must(t, err)
	if summary.Calls != 2 || summary.Damaged != 1 {
		t.Errorf("%+v", summary)
	}
	root, link := filepath.Join(top, "root"), filepath.Join(top, "link")
	fixture.Must(t, os.Mkdir(root, 0o700))
	if err := os.Symlink(root, link); err != nil {
		t.Skip("symlinks cannot be made here:", err)
	}
	fixture.Must(t, os.Symlink(filepath.Join(root, "a"), filepath.Join(top, "leads")))
	fixture.Must(t, os.Symlink(filepath.Join(root, "b"), filepath.Join(top, "old.1")))
	for _, o := range []Options{
		{File: filepath.Join(top, "in", "audit"), Roots: []string{top}},
		{File: file, Roots: []string{top}},
		{File: filepath.Join(root, "audit"), Roots: []string{link}},
		{File: filepath.Join(link, "audit"), Roots: []string{root}},
		{File: filepath.Join(top, "leads"), Roots: []string{root}},
		{File: filepath.Join(top, "old"), Roots: []string{root}},
		{File: top},
		{File: filepath.Join(top, "missing", "audit")},
	} {
		if l, err := Open(o); err == nil {
			l.Close()
			t.Errorf("%+v is opened", o)
		}
	}
}

// TestRequired checks that calls fail if they cannot be recorded, and only then.
func TestRequired(t *testing.T) {
	for _, required := range []bool{false, true} {
		l, err := Open(Options{File: filepath.Join(t.TempDir(), "audit"), Required: required})
		fixture.Must(t, err)
		fixture.Must(t, l.file.Close()) // as on a full disk, writing fails
		if err := l.Record(context.Background(), tool.Record{}); (err != nil) != required {
			t.Errorf("required %v: %v", required, err)
		}
		l.old.Close()
	}
}

// TestSummary checks the order of a summary.
func TestSummary(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var text strings.Builder
	for i := range 3 {
		text.Write(encode(tool.Record{
			Time: at, Tool: "gander/read_file", Omitted: 2, Client: tool.Client{Token: "ci"}, Returned: 10,
			Opened:  []tool.Opened{{Path: "/w/a", Bytes: 5}, {Path: "/w", Directory: true}},
			Refused: []tool.Refused{{Path: fmt.Sprintf("/w/.env%d", i%2), Pattern: ".env*"}},
		}))
	}
	summary, err := Summarize(strings.NewReader(text.String()), time.Time{})
	fixture.Must(t, err)
	var out strings.Builder
	fixture.Must(t, summary.Print(&out, func(s string) string { return s }))
	last := at.Local().Format(time.DateTime)
	want := "3 calls, 0 failed; 6 opened or refused paths are not named in the records\n\nrefused: 2 paths\n" +
		"       2  denied by .env*, by ci with gander/read_file: /w/.env0\n" +
		"       1  denied by .env*, by ci with gander/read_file: /w/.env1\n" +
		"\nfiles: 1\n   calls  bytes read        last\n" +
		"       3                15  " + last + "  /w/a\n" +
		"\nclients: 1\n   calls  bytes returned    last\n" +
		"       3                30  " + last + "  ci\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if late, err := Summarize(strings.NewReader(text.String()), at.Add(1)); err != nil || late.Calls != 0 {
		t.Errorf("%+v, %v", late, err)
	}
}
