package search

import (
	"context"
	"errors"
	"io"
	"time"

	"gander/internal/admission"
	"gander/internal/files/workspace"
)

// documentMemory is the memory reserved for a document that is searched: a part of its text, and
// what its format keeps.
const documentMemory = 4 << 20

// A documentEnding is what has become of a file that is a document.
type documentEnding byte

const (
	noDocument documentEnding = iota
	notWanted                 // it was only counted
	late                      // it was not searched, because time was short
	deferred                  // a worker got no memory for it; the consumer will search it
	extracted
	cut // its beginning was searched, until time was short
)

// A documentError ends the scan of a file that is a document.
type documentError struct{ Document }

func (documentError) Error() string { return "the file is a document" }

// recognize returns a documentError if the file is a document. head is its beginning.
func (s *scanner) recognize(head []byte) error {
	opened, ok := s.file.(*workspace.File)
	if !ok || s.o.Documents == nil {
		return nil
	}
	d, err := s.o.Documents(s.ctx, opened, s.item.name, head)
	if err == nil && d != nil {
		err = documentError{d}
	}
	return err
}

// document searches the text of a document, if documents are wanted and time and memory suffice.
func (s *scanner) document(i *item, d Document) (e ending, err error) {
	defer d.Close()
	switch {
	case !s.o.WithDocuments:
		e.document = notWanted
	case !s.cutoff.IsZero() && !time.Now().Before(s.cutoff):
		e.document = late
	case s.reserved:
		e, err = s.extract(i, d)
	case admission.Reserve(s.ctx, documentMemory) != nil:
		e.document = deferred
	default:
		e, err = s.extract(i, d)
		admission.Release(s.ctx, documentMemory)
	}
	return e, err
}

// extract searches the text of a document.
func (s *scanner) extract(i *item, d Document) (ending, error) {
	ctx := s.ctx
	if !s.cutoff.IsZero() {
		limited, stop := context.WithDeadline(ctx, s.cutoff)
		defer stop()
		ctx = limited
	}
	opened := d.Text(ctx)
	defer opened.Close()
	text := &extractedFile{file: i.file, text: opened}
	e, err := s.scan(i, text, region{end: toEnd})
	e.document, e.size = extracted, text.read
	if errors.Is(err, context.DeadlineExceeded) && s.ctx.Err() == nil {
		e.document, err = cut, nil
	}
	return e, err
}

// An extractedFile is a file whose text is read instead.
type extractedFile struct {
	file
	text io.Reader
	read int64 // the number of bytes of the text that have been read
}

// Size returns 0: the size of the text is unknown.
func (d *extractedFile) Size() int64 { return 0 }

// Read reads the next part of the text.
func (d *extractedFile) Read(b []byte) (int, error) {
	n, err := d.text.Read(b)
	d.read += int64(n)
	return n, err
}

// cutoff returns when four fifths of the time until the deadline of ctx are over. A search then begins
// no other document and ends the current one, so that the call still has a result. It is zero without
// a deadline.
func cutoff(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	return deadline.Add(-time.Until(deadline) / 5)
}
