package mcpserver

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"gander"
	"gander/internal/testkit"
)

// update replaces the server's lines in the transcripts.
var update = flag.Bool("update", false, "write the transcripts to testdata")

// TestTranscripts plays the sessions in testdata. The lines of a section "client" are sent. The
// lines of a section "server" must come next, in any order. At the end the input is closed, and
// only the lines of a section "rest" may follow. /workspace means the root. A section "file NAME"
// is written there. A session that begins with a file uses gander's tools. All others use fakes.
func TestTranscripts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths in transcripts are those of Unix")
	}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			testkit.Must(t, err)
			play(t, archive)
			if *update {
				testkit.Must(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			}
		})
	}
}

func play(t *testing.T, archive *txtar.Archive) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	testkit.Must(t, err)
	inputEnded := make(chan struct{})
	var ts *gander.Toolset
	if strings.HasPrefix(archive.Files[0].Name, "file ") {
		tools := []string{"codex/read_file", "toolkit/tree"}
		ts = testkit.Open(t, gander.Options{Roots: []string{root}, Tools: tools})
	} else {
		ts = openFakes(t, root, inputEnded)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // if the test is stuck
	defer cancel()
	session := startStdio(ctx, New(ts, &Options{Version: "v1.2.3"}))
	rest := new(txtar.File)
	for i := range archive.Files {
		section := &archive.Files[i]
		text := string(section.Data)
		switch name, isFile := strings.CutPrefix(section.Name, "file "); {
		case isFile:
			path := filepath.Join(root, filepath.FromSlash(name))
			testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			testkit.Must(t, os.WriteFile(path, section.Data, 0o644))
		case section.Name == "client":
			_, err := io.WriteString(session, strings.ReplaceAll(text, "/workspace", root))
			testkit.Must(t, err)
		case section.Name == "server":
			expect(t, section, root, session.lines, strings.Count(text, "\n"))
		case section.Name == "rest":
			rest = section
		default:
			t.Fatalf("section %q", section.Name)
		}
	}
	session.Close()
	close(inputEnded)
	expect(t, rest, root, session.lines, -1)
	if err := <-session.ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// expect compares the lines of a section with the next n, or all that follow if n is negative.
func expect(t *testing.T, section *txtar.File, root string, received <-chan string, n int) {
	t.Helper()
	got := ""
	for range n {
		got += <-received
	}
	for n < 0 {
		l, ok := <-received
		if !ok {
			break
		}
		got += l
	}
	got = strings.ReplaceAll(got, root, "/workspace")
	if *update {
		section.Data = []byte(got)
	}
	compare(t, string(section.Data), got)
}

// compare compares lines as JSON, in any order, because calls run concurrently.
func compare(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(canonical(t, want), canonical(t, got)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func canonical(t *testing.T, lines string) (all []string) {
	t.Helper()
	for l := range strings.Lines(lines) {
		var v any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		indented, _ := json.MarshalIndent(v, "", " ")
		all = append(all, string(indented))
	}
	slices.Sort(all)
	return all
}
