package framing

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNext(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"empty", "", nil},
		{"lines", "a\nbc\n", []string{"a", "bc"}},
		{"no last line feed", "a\nbc", []string{"a", "bc"}},
		{"blank lines and carriage returns", "\n\r\n", []string{"", "\r"}},
		{"at the limit", strings.Repeat("x", 20) + "\na\n", []string{strings.Repeat("x", 20), "a"}},
		{"over the limit", strings.Repeat("x", 21) + "\na\n", []string{"long", "a"}},
		{"over the limit at the end", "a\n" + strings.Repeat("x", 21), []string{"a", "long"}},
		{"far over the limit", strings.Repeat("x", 5000) + "\n\n" + strings.Repeat("y", 100) + "\n", []string{"long", "", "long"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, allLines(t, strings.NewReader(tt.input), 20)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzNext(f *testing.F) {
	f.Add([]byte("a\n\nbc"), 1)
	f.Add([]byte("\n"), 0)
	f.Fuzz(func(t *testing.T, input []byte, limit int) {
		if limit < 0 || limit > 1000 {
			t.Skip()
		}
		var want []string
		for part := range bytes.Lines(input) {
			if part = bytes.TrimSuffix(part, []byte("\n")); len(part) > limit {
				part = []byte("long")
			}
			want = append(want, string(part))
		}
		if diff := cmp.Diff(want, allLines(t, bytes.NewReader(input), limit)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// allLines reads through the smallest possible buffer, so that lines arrive in parts.
func allLines(t *testing.T, in io.Reader, limit int) []string {
	t.Helper()
	r := newReader(in, 16, limit)
	var all []string
	for {
		switch line, err := r.Next(); {
		case err == nil:
			all = append(all, string(line))
		case errors.Is(err, ErrTooLong):
			all = append(all, "long")
		case err == io.EOF:
			return all
		default:
			t.Fatal(err)
		}
	}
}

// An endless reader repeats a byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestLongLineIsNotHeld(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := NewReader(io.LimitReader(endless('x'), 40*MaxLine)).Next()
	runtime.ReadMemStats(&after)
	if !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v, want %v", err, ErrTooLong)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8*MaxLine {
		t.Errorf("%d bytes were allocated for a line of %d", used, 40*MaxLine)
	}
}
