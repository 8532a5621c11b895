package search_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/admission"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// A fakeText is a text that ends with an error. Reading takes time.
type fakeText struct {
	io.Reader
	ctx  context.Context
	err  error
	time time.Duration
}

func (fakeText) Close() error { return nil }

func (f fakeText) Read(b []byte) (int, error) {
	select {
	case <-time.After(f.time):
	case <-f.ctx.Done():
		return 0, f.ctx.Err()
	}
	n, err := f.Reader.Read(b[:min(len(b), 4<<10)])
	if err == io.EOF && n == 0 && f.err != nil {
		err = f.err
	}
	return n, err
}

// recognize recognizes files that begin with "doc ". Their text is the rest, each word on a line.
// If the last word is "error", the text ends with an error; if it is "slow", when its time is over;
// and if it is "sleep", it takes minutes.
func recognize(
	_ context.Context, f *workspace.File, _ string, head []byte,
) (search.Document, error) {
	content, ok := strings.CutPrefix(string(head), "doc ")
	if !ok {
		return nil, nil
	}
	return fakeDocument(func(ctx context.Context) io.ReadCloser {
		whole, err := io.ReadAll(io.NewSectionReader(f, 4, f.Size()-4))
		if err != nil {
			panic(err)
		}
		text := strings.ReplaceAll(string(whole), " ", "\n") + "\n"
		fake := fakeText{Reader: strings.NewReader(text), ctx: ctx}
		switch {
		case strings.HasSuffix(content, "error"):
			fake.err = errors.New("damaged")
		case strings.HasSuffix(content, "slow"):
			fake.err = context.DeadlineExceeded
		case strings.HasSuffix(content, "sleep"):
			fake.time = time.Minute
		}
		return fake
	}), nil
}

// A fakeDocument opens the text of a document.
type fakeDocument func(context.Context) io.ReadCloser

func (f fakeDocument) Text(ctx context.Context) io.ReadCloser { return f(ctx) }
func (fakeDocument) Close()                                   {}

// documentTree makes a tree of documents and text.
func documentTree(t *testing.T) (root string, documents int) {
	root = fixture.Make(t)
	for i := range 300 {
		content := fmt.Sprintf("a%d hit b", i)
		if i%3 == 0 {
			content = "doc " + content + strings.Repeat(" x", i*100) + " hit"
			documents++
		}
		dir := fmt.Sprintf("%s/d%02d", root, i%20)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, fmt.Sprintf("%s/f%d", dir, i), content)
	}
	return root, documents
}

// TestDocuments searches documents with and without workers, which get different amounts of memory.
func TestDocuments(t *testing.T) {
	root, documents := documentTree(t)
	var totals search.Totals
	options := func(workers int) search.Options {
		totals = search.Totals{}
		return search.Options{
			Documents: recognize, WithDocuments: true, Workers: workers, Totals: &totals,
		}
	}
	want := open(t, root).transcript("hit", options(-1), nil)
	if got := strings.Count(want, ":hit\n"); got != 2*documents {
		t.Errorf("%d lines of documents", got)
	}
	if totals.Extracted != documents || totals.Searched != 300 || totals.Documents != 0 {
		t.Errorf("counted %+v", totals)
	}
	for _, mebibytes := range []int64{4, 10, 48} {
		c := admission.New(64, mebibytes<<20)
		got, err := admission.Run(t.Context(), c, 0, func(ctx context.Context) (string, error) {
			tr := open(t, root)
			tr.ctx = ctx
			return tr.transcript("hit", options(8).Eager(), nil), nil
		})
		if got != want || err != nil || totals.Extracted != documents {
			t.Errorf("with %d MiB: other results, %+v, %v", mebibytes, totals, err)
		}
		_, err = admission.Run(t.Context(), c, 0, func(ctx context.Context) (int, error) {
			return 0, admission.Reserve(ctx, mebibytes<<20)
		})
		if err != nil {
			t.Errorf("with %d MiB: memory is not returned: %v", mebibytes, err)
		}
	}
	o := options(8)
	o.WithDocuments = false
	got := open(t, root).transcript("hit", o, nil)
	if totals.Documents != documents || totals.Searched != 300-documents ||
		strings.Contains(got, ":hit\n") {
		t.Errorf("without documents: %+v", totals)
	}
}

// TestDocumentErrors searches documents that cannot be read to their end.
func TestDocumentErrors(t *testing.T) {
	root := fixture.Make(t)
	write(t, root+"/a", "doc one hit error")
	write(t, root+"/b", "doc two hit slow")
	write(t, root+"/c", "hit")
	const want = "a\n2:hit\na: damaged\nb\n2:hit\nb: only the beginning was searched, " +
		"because time was short\nc\n1:hit\n"
	for _, workers := range []int{-1, 2} {
		o := search.Options{Documents: recognize, WithDocuments: true, Workers: workers}
		if workers > 0 {
			o = o.Eager()
		}
		if got := open(t, root).transcript("hit", o, nil); got != want {
			t.Errorf("%d workers:\n%s", workers, got)
		}
	}
}

// TestDocumentsLate checks that a search ends before its deadline: with the beginning of a
// document, and without those that follow.
func TestDocumentsLate(t *testing.T) {
	root := fixture.Make(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		write(t, root+"/"+name, "doc hit"+strings.Repeat(" x", 8000)+" sleep")
	}
	write(t, root+"/e", "hit")
	tr := open(t, root)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		var totals search.Totals
		start := time.Now()
		tr.t, tr.ctx = t, ctx
		got := tr.transcript("hit", search.Options{
			Documents: recognize, WithDocuments: true, Workers: -1, Totals: &totals,
		}, nil)
		took := time.Since(start)
		if want := "a\n1:hit\nb\n1:hit\nb: " + search.ErrCut.Error() + "\ne\n1:hit\n"; got != want || took > 8*time.Minute ||
			totals.Extracted != 2 || totals.Late != 2 || totals.Searched != 3 {
			t.Errorf("after %v, %+v:\n%s", took, totals, got)
		}
	})
}
