package search

import (
	"context"
	"errors"
	"time"

	"gander/internal/admission"
)

// documentMemory is the memory reserved for a document that is searched: a part of its text, and
// what its format keeps.
const documentMemory = 4 << 20

// searchDocument searches the text of a document, if documents are wanted and time and memory
// suffice.
func (s *scanner) searchDocument(d Document) (e ending, err error) {
	defer d.Close()
	switch {
	case !s.o.WithDocuments:
		e.outcome = notWanted
	case !s.documentCutoff.IsZero() && !time.Now().Before(s.documentCutoff):
		e.outcome = late
	case s.reserved:
		e, err = s.extract(d)
	case admission.Reserve(s.ctx, documentMemory) != nil:
		e.outcome = deferred
	default:
		e, err = s.extract(d)
		admission.Release(s.ctx, documentMemory)
	}
	return e, err
}

// extract searches the text of a document.
func (s *scanner) extract(d Document) (ending, error) {
	ctx := s.ctx
	if !s.documentCutoff.IsZero() {
		limited, stop := context.WithDeadline(ctx, s.documentCutoff)
		defer stop()
		ctx = limited
	}
	text := d.Text(ctx)
	defer text.Close()
	e, err := s.searchText(text, false)
	e.outcome = extracted
	if errors.Is(err, context.DeadlineExceeded) && s.ctx.Err() == nil {
		e.outcome, err = cut, nil
	}
	return e, err
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
