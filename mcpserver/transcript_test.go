package mcpserver

import (
	"bufio"
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
	eachTranscript(t, "testdata/*.txtar", play)
}

// eachTranscript plays every file that the pattern matches, and writes it back with -update.
func eachTranscript(t *testing.T, pattern string, play func(*testing.T, *txtar.Archive)) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths in transcripts are those of Unix")
	}
	files, err := filepath.Glob(pattern)
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
	s := startSession(t, archive)
	var rest *txtar.File
	for i := range archive.Files {
		section := &archive.Files[i]
		lines := strings.Split(strings.TrimSuffix(string(section.Data), "\n"), "\n")
		switch name, isFile := strings.CutPrefix(section.Name, "file "); {
		case isFile:
			writeFile(t, filepath.Join(s.root, filepath.FromSlash(name)), section.Data)
		case section.Name == "client":
			for _, l := range lines {
				s.send(l)
			}
		case section.Name == "server":
			expect(t, section, s.receive(len(lines)))
		case section.Name == "rest":
			rest = section
		default:
			t.Fatalf("section %q", section.Name)
		}
	}
	s.in.Close()
	if got := s.receive(-1); rest != nil {
		expect(t, rest, got)
	} else {
		compare(t, nil, got)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// expect compares the lines of a section with the received lines, or replaces them with -update.
func expect(t *testing.T, section *txtar.File, got []string) {
	t.Helper()
	if *update {
		section.Data = []byte(strings.Join(got, "\n") + "\n")
		return
	}
	compare(t, strings.Split(strings.TrimSuffix(string(section.Data), "\n"), "\n"), got)
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	testkit.Must(t, os.WriteFile(path, data, 0o644))
}

// compare compares lines as JSON in any order, because calls run concurrently.
func compare(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(canonical(t, want), canonical(t, got)); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func canonical(t *testing.T, lines []string) []string {
	t.Helper()
	var all []string
	for _, l := range lines {
		var v any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		if batch, ok := v.([]any); ok {
			slices.SortFunc(batch, func(a, b any) int { return strings.Compare(indented(a), indented(b)) })
		}
		all = append(all, indented(v))
	}
	slices.Sort(all)
	return all
}

func indented(v any) string {
	data, _ := json.MarshalIndent(v, "", " ")
	return string(data)
}

// A session is a server over pipes, and the client's ends of the pipes.
type session struct {
	t     *testing.T
	root  string
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

// startSession starts a server, which ends after a minute if the test is stuck.
func startSession(t *testing.T, archive *txtar.Archive) *session {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	root, err := filepath.EvalSymlinks(t.TempDir())
	testkit.Must(t, err)
	s := &session{t, root, toServer, make(chan string, 100), make(chan error, 1)}
	inputEnded := make(chan struct{})
	var ts *gander.Toolset
	if strings.HasPrefix(archive.Files[0].Name, "file ") {
		tools := []string{"codex/read_file", "toolkit/tree"}
		ts = testkit.Open(t, gander.Options{Roots: []string{root}, Tools: tools})
	} else {
		ts = openFakes(t, root, inputEnded)
	}
	go func() {
		err := ServeStdio(ctx, New(ts, &Options{Version: "v1.2.3"}), &endingReader{in, inputEnded}, out)
		in.Close()
		out.Close()
		s.ended <- err
	}()
	inJSON := strings.ReplaceAll(root, `\`, `\\`)
	go func() {
		defer close(s.lines)
		for r := bufio.NewReader(fromServer); ; {
			l, err := r.ReadString('\n')
			if err != nil {
				return
			}
			s.lines <- strings.ReplaceAll(strings.TrimSuffix(l, "\n"), inJSON, "/workspace")
		}
	}()
	return s
}

func (s *session) send(line string) {
	s.t.Helper()
	_, err := io.WriteString(s.in, strings.ReplaceAll(line, "/workspace", s.root)+"\n")
	testkit.Must(s.t, err)
}

// receive returns the next n lines, or all lines until the server ends if n is negative.
func (s *session) receive(n int) (lines []string) {
	for len(lines) != n {
		l, ok := <-s.lines
		if !ok {
			break
		}
		lines = append(lines, l)
	}
	return lines
}

// An endingReader closes ended before it returns the end of the input to its reader.
type endingReader struct {
	io.Reader
	ended chan struct{}
}

func (r *endingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF {
		close(r.ended)
	}
	return n, err
}
