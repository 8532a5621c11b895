package documents

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// A plain format writes the lines of a file, whose marks begin with "@".
type plain struct{}

func (plain) Recognize(_ context.Context, src *Source) (bool, error) {
	return bytes.HasPrefix(src.Head, []byte("@")), nil
}

func (plain) Write(_ context.Context, src *Source, w *Writer) error {
	pages := 0
	for line := range strings.SplitSeq(string(src.Head), "\n") {
		if name, ok := strings.CutPrefix(line, "@"); ok {
			pages++
			w.Mark(Mark{Kind: Part, Number: pages, Name: name})
			continue
		}
		w.Line([]byte(line))
	}
	return nil
}

// read returns the lines of a document as text.
func read(t *testing.T, content string, limits Limits) string {
	t.Helper()
	d, err := Open(t.Context(), []Format{plain{}}, "x", bytes.NewReader([]byte(content)))
	if d == nil || err != nil {
		t.Fatalf("Open returned %v, %v", d, err)
	}
	var b strings.Builder
	for line, err := range d.Lines(t.Context(), limits) {
		if err != nil {
			fmt.Fprintf(&b, "error: x %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%s\n", line.Text)
	}
	return b.String()
}

func TestLines(t *testing.T) {
	const content = "@one\ntext\n@two\n\nmore\n@" + "three\x00\n last\x0c"
	const whole = "# part 1: one\ntext\n\n# part 2: two\n\nmore\n\n# part 3: three\ufffd\n last \n"
	if got := read(t, content, Limits{}); got != whole {
		t.Errorf("got %q", got)
	}
	const limited = "# part 1: one\ntext\n" +
		"error: x is too large to be read as text: more than 0 MiB of text\n"
	if got := read(t, content, Limits{Text: 19}); got != limited {
		t.Errorf("with a limit: got %q", got)
	}
}

// FuzzWriter writes any bytes by every method and checks the lines.
func FuzzWriter(f *testing.F) {
	f.Add([]byte("a\u2028b\r\nc\x00\xff\u00ad  d\t\u0085e"))
	f.Fuzz(func(t *testing.T, b []byte) {
		check := func(l Line) bool {
			if !utf8.Valid(l.Text) || len(l.Text) > MaxLine || !bytes.Equal(bytes.Map(cleaned, l.Text), l.Text) {
				t.Errorf("line %q", l.Text)
			}
			return true
		}
		w := &Writer{ctx: t.Context(), first: 1, textBudget: budget{limit: defaultLimit}, yield: check}
		for i := range b {
			part := b[i:min(len(b), i+int(b[i]))]
			switch b[i] % 10 {
			case 0:
				w.Text(part)
			case 1:
				w.Run(part)
			case 2:
				w.Verbatim(part)
			case 3:
				w.Line(part)
			case 4:
				w.Mark(Mark{Kind: Part, Number: i, Name: string(part)})
			case 5:
				w.Heading(i)
			case 6:
				w.Item(i, "-")
			case 7:
				w.Tab()
			case 8:
				w.Run(bytes.Repeat(part, 1000))
			case 9:
				w.Gap()
			}
		}
		w.End()
	})
}

func TestContextEndsLines(t *testing.T) {
	d, err := Open(t.Context(), []Format{plain{}}, "x", strings.NewReader("@a\n@b\n@c\n@d"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	lines := 0
	for _, err := range d.Lines(ctx, Limits{}) {
		if lines++; lines == 2 {
			cancel()
		}
		if err != nil && (err != context.Canceled || lines != 3) {
			t.Errorf("line %d: %v", lines, err)
		}
	}
	if lines != 3 {
		t.Errorf("%d lines after a cancellation at 2", lines)
	}
}

// An endless format writes lines of 64 KiB until it may write no more.
type endless struct{}

func (endless) Recognize(context.Context, *Source) (bool, error) { return true, nil }

func (endless) Write(_ context.Context, _ *Source, w *Writer) error {
	line := bytes.Repeat([]byte("x"), MaxLine)
	for w.Err() == nil {
		w.Line(line)
	}
	return w.Err()
}

// TestDefaultLimit checks that a document has at most 256 MiB of text.
func TestDefaultLimit(t *testing.T) {
	size := 0
	var problem error
	d := &Document{endless{}, &Source{}}
	for line, err := range d.Lines(t.Context(), Limits{}) {
		problem = err
		if err == nil {
			size += len(line.Text) + 1
		}
	}
	if size != 256<<20 || problem == nil {
		t.Errorf("%d bytes, then %v", size, problem)
	}
}
