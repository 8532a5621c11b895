package document

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode/utf32"
)

func open(t *testing.T, content, label string) (*Document, error) {
	t.Helper()
	file, err := fstest.MapFS{"f": {Data: []byte(content)}}.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return Open(file, label)
}

func encoded(t *testing.T, label, text string) string {
	t.Helper()
	e, err := htmlindex.Get(label)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func all(t *testing.T, d *Document, first int) string {
	t.Helper()
	var b strings.Builder
	for line, err := range d.Lines(t.Context(), first) {
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line.Text)
		b.WriteByte('|')
	}
	return b.String()
}

func TestOpen(t *testing.T) {
	const text = "grün\r\nmañana\n"
	wide, err := utf32.UTF32(utf32.BigEndian, utf32.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, content, label, encoding, want string }{
		{"UTF-8", text, "", "utf-8", "grün|mañana|"},
		{"with a mark", "\ufeff" + text, "", "utf-8", "grün|mañana|"},
		{"told", "\ufeff" + text, "UTF8", "utf-8", "grün|mañana|"},
		{"UTF-16", "\xff\xfe" + encoded(t, "utf-16le", text), "", "utf-16le", "grün|mañana|"},
		{"UTF-16, the other way round", "\xfe\xff" + encoded(t, "utf-16be", text), "", "utf-16be", "grün|mañana|"},
		{"UTF-16 without a mark", encoded(t, "utf-16le", text), "utf-16le", "utf-16le", "grün|mañana|"},
		{"UTF-16 with a mark, told", "\xff\xfe" + encoded(t, "utf-16le", text), "utf-16", "utf-16le", "grün|mañana|"},
		{"UTF-32", wide, "", "utf-32be", "grün|mañana|"},
		{"latin", encoded(t, "windows-1252", text), "latin1", "windows-1252", "grün|mañana|"},
		{"Japanese", encoded(t, "shift_jis", "漢字\nかな"), "sjis", "shift_jis", "漢字|かな|"},
		{"not UTF-8", "a\xffb\n", "", "utf-8", "a\xffb|"},
		{"broken UTF-16", "\xff\xfea\x00\x00\xd8b\x00x", "", "utf-16le", "a\ufffdb\ufffd|"},
		{"empty", "", "", "utf-8", ""},
		{"NUL late", strings.Repeat("a", sniffed) + "\x00", "", "utf-8", strings.Repeat("a", sniffed) + "\x00|"},
	} {
		d, err := open(t, tt.content, tt.label)
		if err != nil || d.Binary() || d.Encoding != tt.encoding || d.Size != int64(len(tt.content)) {
			t.Errorf("%s: got %+v, %v", tt.name, d, err)
			continue
		}
		if got := all(t, d, 1); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestBinary(t *testing.T) {
	for content, want := range map[string]string{
		"\x89PNG\r\n\x1a\n\x00": "image/png",
		"GIF89a\x00":            "image/gif",
		"<html>\x00":            "application/octet-stream",
		"\x00":                  "application/octet-stream",
		"%PDF-1.7\n\x00":        "application/pdf",
	} {
		if d, err := open(t, content, ""); err != nil || !d.Binary() || d.Type != want || d.Encoding != "" {
			t.Errorf("%q: got %+v, %v", content, d, err)
		}
	}
	if _, err := open(t, "", "klingon"); err == nil || !strings.Contains(err.Error(), `"klingon" is no encoding that is known here`) {
		t.Errorf("got %v", err)
	}
	dir, err := fstest.MapFS{"d/f": {}}.Open("d")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, ""); err == nil {
		t.Error("a directory is no document")
	}
}

func TestLines(t *testing.T) {
	d, err := open(t, "one\ntwo\nthree\n"+strings.Repeat("x", MaxLine+5)+"\nfive", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := all(t, d, 3), "three|"+strings.Repeat("x", MaxLine)+"|five|"; got != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
	if got := all(t, d, 9); got != "" {
		t.Errorf("beyond the end: got %q", got)
	}
	for range d.Lines(t.Context(), 1) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range d.Lines(ctx, 1) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

func TestAround(t *testing.T) {
	d, err := open(t, "\xff\xfe"+encoded(t, "utf-16le", "a\n  b\n  c\nd\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	if first, last, err := d.Around(t.Context(), 2, 1, 100); err != nil || first != 1 || last != 4 {
		t.Errorf("got %d to %d, %v", first, last, err)
	}
	if _, _, err := d.Around(t.Context(), 9, 1, 100); err != io.EOF {
		t.Errorf("got %v", err)
	}
}

// FuzzOpen: whatever the bytes are, they are lines of text, or described.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("\xff\xfe\x00\xd8"), "")
	f.Add([]byte("\x1b$B"), "iso-2022-jp")
	f.Fuzz(func(t *testing.T, content []byte, label string) {
		d, err := open(t, string(content), label)
		if err != nil {
			var at *fs.PathError
			if errors.As(err, &at) {
				t.Fatal(err)
			}
			return
		}
		if d.Binary() {
			return
		}
		number := 0
		for line, err := range d.Lines(t.Context(), 1) {
			if number++; err != nil || line.Number != number || strings.Contains(string(line.Text), "\n") {
				t.Fatalf("line %d: %+v, %v", number, line, err)
			}
		}
	})
}
