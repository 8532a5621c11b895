//go:build linux

package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gander/bench/data"
)

// TestRows asks every question once about a little data, of every program that is installed.
func TestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs and runs every row")
	}
	dir := t.TempDir()
	set := data.Set{Dir: filepath.Join(dir, "data"), WideNames: 100, MediumNames: 50, Packages: 1, Lines: 25_072, TextFiles: 100, Requests: 1000}
	if err := set.Make(func(string) {}); err != nil {
		t.Fatal(err)
	}
	b, err := newBench(t.Context(), dir, set, "")
	if err != nil {
		t.Fatal(err)
	}
	b.source = filepath.Join(b.source, "bufio")
	for _, r := range b.rows(regexp.MustCompile("")) {
		if r.programs[0].measure == nil {
			t.Logf("%s: not installed: %s, the base of the row", r.name, r.programs[0].name)
		}
		for _, p := range r.programs {
			if p.measure == nil {
				continue
			}
			if s, err := p.measure(t.Context()); err != nil || s.took <= 0 {
				t.Errorf("%s, %s: %+v, %v", r.name, p.name, s, err)
			}
		}
	}
}

// TestServerAnswers: ask drops the middle of a long answer, and keeps its end.
func TestServerAnswers(t *testing.T) {
	s, err := launch(t.Context(), []string{"sh", "-c", `read x; printf '%s:' "$x"; head -c 3000000 /dev/zero; echo end; read x; echo "$x"; read x`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	long, err := s.ask("first")
	if err != nil || !bytes.HasPrefix(long, []byte("first:")) || !bytes.HasSuffix(long, []byte("\x00end\n")) || len(long) > 5*edge {
		t.Errorf("answered %d bytes, %v", len(long), err)
	}
	if short, err := s.ask("second"); err != nil || string(short) != "second\n" {
		t.Errorf("answered %q, %v", short, err)
	}
	if peak, err := s.peak(); err != nil || peak <= 0 {
		t.Errorf("peak is %d, %v", peak, err)
	}
	if answer, err := s.ask("third"); err == nil {
		t.Errorf("a process that has exited answered %q", answer)
	}
}

func TestProcess(t *testing.T) {
	s, err := process("sh", "-c", "exit 0")(t.Context())
	if err != nil || s.took <= 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := process("sh", "-c", "echo words >&2; exit 3")(t.Context()); err == nil || !strings.Contains(err.Error(), "words") {
		t.Errorf("a failing command: %v, want its standard error", err)
	}
}

// TestCheckTimed: a session with checkTimed accepts that answer to its timed call only.
func TestCheckTimed(t *testing.T) {
	const (
		refusal = `{"id":1,"result":{"isError":true,"content":[{"type":"text","text":"m"}]}}`
		other   = `{"id":1,"result":{"isError":true,"content":[{"type":"text","text":"n"}]}}`
		good    = `{"id":1,"result":{"content":[]}}`
	)
	for _, c := range []struct {
		first, timed string
		want         bool
	}{{good, refusal, true}, {good, other, false}, {good, good, false}, {refusal, refusal, false}} {
		s := session{
			command:    []string{"sh", "-c", `for a; do read x; printf '%s\n' "$a"; done; read x`, "sh", c.first, c.timed},
			protocol:   silentProtocol{mcpProtocol{id: 1}},
			before:     []call{{}},
			checkTimed: refused("m"),
		}
		if _, err := s.call(t.Context()); (err == nil) != c.want {
			t.Errorf("answered %s and %s: %v", c.first, c.timed, err)
		}
	}
}

// silentProtocol is MCP without a handshake.
type silentProtocol struct{ mcpProtocol }

func (silentProtocol) initialize(*server) error { return nil }

func TestChecks(t *testing.T) {
	for _, c := range []struct {
		protocol protocol
		answer   string
		good     bool
	}{
		{mcpProtocol{id: 1}, `{"result":{"content":[]},"jsonrpc":"2.0","id":1}`, true},
		{mcpProtocol{id: 1}, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}`, false},
		{mcpProtocol{id: 1}, `{"jsonrpc":"2.0","id":1,"error":{"code":-1}}`, false},
	} {
		if err := c.protocol.check([]byte(c.answer)); (err == nil) != c.good {
			t.Errorf("%T.check(%s): %v", c.protocol, c.answer, err)
		}
	}
}
