package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestTranscripts plays the sessions in testdata. A section "client" is sent; a section "server" holds the lines that
// must come next, in any order; then the input ends, and only the lines of a section "rest" may follow. The root reads
// /workspace.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			play(t, archive)
		})
	}
}

func play(t *testing.T, archive *txtar.Archive) {
	s := startSession(t)
	var rest []string
	for _, section := range archive.Files {
		lines := strings.Split(strings.TrimSuffix(string(section.Data), "\n"), "\n")
		switch section.Name {
		case "client":
			for _, l := range lines {
				s.send(l)
			}
		case "server":
			compare(t, lines, s.receive(len(lines)))
		case "rest":
			rest = lines
		default:
			t.Fatalf("section %q", section.Name)
		}
	}
	s.in.Close()
	compare(t, rest, s.receive(-1))
	if err := s.wait(); err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// compare compares lines as JSON and without regard to their order: calls run at the same time.
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

// A session is a server over pipes and a client's ends of them.
type session struct {
	t     *testing.T
	root  string
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

// startSession starts a server that is given up where a test gets stuck.
func startSession(t *testing.T) *session {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	s := &session{t: t, root: t.TempDir(), in: toServer, lines: make(chan string, 100), ended: make(chan error, 1)}
	end := make(chan struct{})
	ts := openFakes(t, s.root, end)
	tell := sync.OnceFunc(func() { close(end) })
	go func() {
		err := ServeStdio(ctx, ts, Options{Version: "v1.2.3"}, &endingReader{in, tell}, out)
		in.Close()
		out.Close()
		s.ended <- err
	}()
	go func() {
		defer close(s.lines)
		for r := bufio.NewReader(fromServer); ; {
			l, err := r.ReadString('\n')
			if err != nil {
				return
			}
			s.lines <- strings.ReplaceAll(l, s.root, "/workspace")
		}
	}()
	return s
}

func (s *session) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// receive returns the next n lines, or all there are until the server ends where n is negative.
func (s *session) receive(n int) []string {
	s.t.Helper()
	var lines []string
	for len(lines) != n {
		l, ok := <-s.lines
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSuffix(l, "\n"))
	}
	return lines
}

func (s *session) wait() error { return <-s.ended }

// An endingReader calls tell before its reader learns that the input has ended.
type endingReader struct {
	io.Reader
	tell func()
}

func (r *endingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF {
		r.tell()
	}
	return n, err
}
