package lines

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

func TestLineEnds(t *testing.T) {
	for _, tc := range []struct {
		data string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"\n", []string{""}},
		{"\r\n", []string{""}},
		{"\r", []string{"\r"}},
		{"a\nb", []string{"a", "b"}},
		{"a\nb\n", []string{"a", "b"}},
		{"a\n\n", []string{"a", ""}},
		{"a\r\nb\r", []string{"a", "b\r"}},
		{"a\r\r\nb\rc\n\rd", []string{"a\r", "b\rc", "\rd"}},
		{"a\vb\fc\u0085d\u2028e\x00\n", []string{"a\vb\fc\u0085d\u2028e\x00"}},
	} {
		c := New(strings.NewReader(tc.data), Options{Keep: 10})
		for i, want := range tc.want {
			line, err := c.Next(t.Context())
			if err != nil || line.Number != i+1 || string(line.Text) != want[:min(len(want), 10)] {
				t.Errorf("%q: Next = %d %q, %v; want %d %q", tc.data, line.Number, line.Text, err, i+1, want)
			}
		}
		if line, err := c.Next(t.Context()); err != io.EOF {
			t.Errorf("%q: Next at the end = %d %q, %v", tc.data, line.Number, line.Text, err)
		}
	}
}

func TestKeptBytes(t *testing.T) {
	for _, tc := range []struct {
		data string
		keep int
		want []string
	}{
		{"abc\nabcd\nabcde", 4, []string{"abc", "abcd", "abcd"}},
		{"abcd\r\nabcde\r\nabcd\r", 4, []string{"abcd", "abcd", "abcd"}},
		{"abc\r\r\nabc\rd\n", 4, []string{"abc\r", "abc\r"}},
		{"a\n\nb", 0, []string{"", "", ""}},
		{"a\n\nb", -1, []string{"", "", ""}},
	} {
		c := New(strings.NewReader(tc.data), Options{Keep: tc.keep})
		var got []string
		for line, err := c.Next(t.Context()); err == nil; line, err = c.Next(t.Context()) {
			got = append(got, string(line.Text))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tc.want) {
			t.Errorf("%q keeping %d: %q, want %q", tc.data, tc.keep, got, tc.want)
		}
	}
}

func TestSeek(t *testing.T) {
	const data = "one\ntwo\n\nfour"
	for _, tc := range []struct {
		n    int
		want string
		err  error
	}{
		{1, "one", nil},
		{3, "", nil},
		{4, "four", nil},
		{5, "", io.EOF},
		{math.MaxInt, "", io.EOF},
	} {
		c := New(strings.NewReader(data), Options{Keep: 10})
		if err := c.Seek(t.Context(), tc.n); err != tc.err {
			t.Errorf("Seek(%d) = %v, want %v", tc.n, err, tc.err)
		}
		if tc.err != nil {
			continue
		}
		if line, err := c.Next(t.Context()); err != nil || line.Number != tc.n || string(line.Text) != tc.want {
			t.Errorf("line %d = %d %q, %v; want %q", tc.n, line.Number, line.Text, err, tc.want)
		}
	}
	for _, n := range []int{0, -1, math.MinInt} {
		if err := New(strings.NewReader(data), Options{}).Seek(t.Context(), n); err == nil || err == io.EOF {
			t.Errorf("Seek(%d) = %v", n, err)
		}
	}
}

func TestErrorLeavesCursorInPlace(t *testing.T) {
	c := New(strings.NewReader("one\ntwo"), Options{Keep: 10})
	if err := c.Seek(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := c.Seek(t.Context(), 3); err != io.EOF {
		t.Fatalf("Seek(3) = %v", err)
	}
	if line, err := c.Next(t.Context()); err != nil || string(line.Text) != "two" {
		t.Errorf("Next = %q, %v", line.Text, err)
	}
}

// A recorder records what is read of a file.
type recorder struct {
	io.ReaderAt
	reads int
	bytes int64
	upto  int64
}

func (r *recorder) ReadAt(p []byte, offset int64) (int, error) {
	r.reads++
	r.bytes += int64(len(p))
	r.upto = max(r.upto, offset+int64(len(p)))
	return r.ReaderAt.ReadAt(p, offset)
}

// filler is a file of size bytes that are all fill.
type filler struct {
	fill byte
	size int64
}

func (f filler) ReadAt(p []byte, offset int64) (int, error) {
	n := int(min(int64(len(p)), max(0, f.size-offset)))
	for i := range p[:n] {
		p[i] = f.fill
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func TestNextReadsNoFurtherThanItShows(t *testing.T) {
	file := &recorder{ReaderAt: filler{'x', 1 << 40}}
	c := New(file, Options{Keep: 512})
	if line, err := c.Next(t.Context()); err != nil || len(line.Text) != 512 {
		t.Fatalf("Next = %d bytes, %v", len(line.Text), err)
	}
	if file.upto > firstBlock {
		t.Errorf("read up to byte %d", file.upto)
	}
}

func TestEachBlockIsReadOnce(t *testing.T) {
	const size = 8 << 20
	file := &recorder{ReaderAt: strings.NewReader(strings.Repeat("    a line of 31 characters, LF\n", size/32))}
	c := New(file, Options{Keep: 512})
	for name, step := range map[string]func(context.Context) (Line, error){"Next": c.Next, "Prev": c.Prev} {
		if err := c.Seek(t.Context(), size/64+1); err != nil {
			t.Fatal(err)
		}
		file.reads, file.bytes = 0, 0
		n := 0
		line, err := step(t.Context())
		for ; err == nil; line, err = step(t.Context()) {
			n++
			if _, _, err := c.Indent(t.Context(), line, 4); err != nil {
				t.Fatal(err)
			}
		}
		if n != size/64 || err != io.EOF {
			t.Errorf("%s: %d lines, %v", name, n, err)
		}
		if blocks := size / 2 / fullBlock; file.reads > blocks+2 || file.bytes > size/2+3*fullBlock {
			t.Errorf("%s: %d bytes in %d reads, for %d blocks", name, file.bytes, file.reads, blocks)
		}
	}
}

func TestLongLineIsNotHeld(t *testing.T) {
	data := "first\n" + strings.Repeat("x", 10<<20) + "\nlast"
	c := New(strings.NewReader(data), Options{Keep: 512})
	if err := c.Seek(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	for i := 2; i >= 1; i-- {
		if line, err := c.Prev(t.Context()); err != nil || line.Number != i {
			t.Fatalf("Prev = %d, %v; want line %d", line.Number, err, i)
		}
	}
	for i := 1; i <= 3; i++ {
		if line, err := c.Next(t.Context()); err != nil || line.Number != i {
			t.Fatalf("Next = %d, %v; want line %d", line.Number, err, i)
		}
	}
	if size := cap(c.file.data); size > fullBlock+1024 {
		t.Errorf("the cursor holds %d bytes", size)
	}
}

func TestCursorAllocatesNothingPerLine(t *testing.T) {
	data := strings.Repeat("    some text of a line\r\n\n", 4000)
	c := New(strings.NewReader(data), Options{Keep: 512})
	ctx := context.Background()
	for _, step := range []func(context.Context) (Line, error){c.Next, c.Prev} {
		if _, err := step(ctx); err != nil {
			t.Fatal(err)
		}
		if err := c.Seek(ctx, 4000); err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(1000, func() {
			line, err := step(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.Indent(ctx, line, 4); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%v allocations a line", allocs)
		}
	}
}
