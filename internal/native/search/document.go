package search

import (
	"context"
	"io"
	"time"

	"gander/internal/documents"
	"gander/internal/files/workspace"
	"gander/internal/native/extract"
	"gander/internal/search"
)

// documentTime is how long a search extracts the text of one of several documents.
const documentTime = 2 * time.Second

// recognizer returns the function that recognizes documents for a search, or nil if no formats are
// known. limit is the maximum time for the text of each document; 0 means no maximum.
func recognizer(formats []documents.Format, limit time.Duration) search.Recognizer {
	if len(formats) == 0 {
		return nil
	}
	return func(
		ctx context.Context, f *workspace.File, name string, head []byte,
	) (search.Document, error) {
		d, err := documents.OpenHead(ctx, formats, name, head, f)
		if d == nil || err != nil {
			return nil, err
		}
		return searchedDocument{d, f, documents.Limits{Time: limit}}, nil
	}
}

// A searchedDocument is a document for a search.
type searchedDocument struct {
	*documents.Document
	file   *workspace.File
	limits documents.Limits
}

// Text implements [search.Document].
func (d searchedDocument) Text(ctx context.Context) io.ReadCloser {
	t := &searchedText{cached: d.file.CacheEntry(extract.Cached)}
	t.index, t.known = t.cached.Value().(extract.Index)
	if !t.known {
		t.index = extract.NewIndex()
	}
	t.text = d.Document.Text(ctx, d.limits, t.index.Outline)
	t.Reader = t.text.Reader(0)
	return t
}

// A searchedText is the text of a document that a search reads. What the search learns about it is
// cached, for the next search and for read_file.
type searchedText struct {
	io.Reader
	text   *documents.Text
	cached workspace.CacheEntry
	index  extract.Index
	known  bool // the index was cached
}

// Close implements [io.Closer].
func (t *searchedText) Close() error {
	t.text.Close()
	if !t.known {
		t.cached.Store(t.index)
	}
	return nil
}
