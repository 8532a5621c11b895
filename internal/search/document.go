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
	case !s.run.o.WithDocuments:
		e.outcome = notWanted
	case !s.run.documentCutoff.IsZero() && !time.Now().Before(s.run.documentCutoff):
		e.outcome = late
	case s.reserved:
		e, err = s.extract(d)
	case admission.Reserve(s.run.ctx, documentMemory) != nil:
		e.outcome = deferred
	default:
		e, err = s.extract(d)
		admission.Release(s.run.ctx, documentMemory)
	}
	return e, err
}

// extract searches the text of a document.
func (s *scanner) extract(d Document) (ending, error) {
	ctx := s.run.ctx
	if !s.run.documentCutoff.IsZero() {
		limited, stop := context.WithDeadline(ctx, s.run.documentCutoff)
		defer stop()
		ctx = limited
	}
	text := d.Text(ctx)
	defer text.Close()
	e, err := s.searchText(text, false)
	e.outcome = extracted
	if errors.Is(err, context.DeadlineExceeded) && s.run.ctx.Err() == nil {
		e.outcome, err = cut, nil
	}
	return e, err
}

// cutoff returns when four fifths of the time until the deadline of ctx are over. A search then
// begins no other document and ends the current one, so that the call still has a result. It is
// zero without a deadline.
func cutoff(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	return deadline.Add(-time.Until(deadline) / 5)
}
