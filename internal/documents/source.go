package documents

import (
	"context"

	"gander/internal/admission"
)

// A Source is a file that may be a document, and the resources that reading it has used.
type Source struct {
	File
	Name string // base name; content decides, except for notebooks, which are JSON
	Head []byte // the first bytes of the file, at most 1,024

	archive    *Archive // nil before the first call of Archive, or if that fails
	archiveErr error    // the error of the first call

	inflation budget          // bytes of the archive
	clock     *clock          // of the Text that reads the file, or nil
	reserved  int64           // bytes of memory
	ctx       context.Context // of Open: Close releases the memory that is reserved for it
}

// Reserve reserves n bytes of memory beyond what is reserved for every document. They are released
// when the format has written the document, and those for recognizing it when it is closed. Errors
// are from [admission.Reserve].
func (s *Source) Reserve(n int64) error {
	err := admission.Reserve(s.ctx, n)
	if err == nil {
		s.reserved += n
	}
	return err
}

// release releases the memory that was reserved beyond a number of bytes.
func (s *Source) release(kept int64) {
	if s.reserved > kept {
		admission.Release(s.ctx, s.reserved-kept)
		s.reserved = kept
	}
}

// maxHead is the maximum size of Source.Head.
const maxHead = 1024

// A budget is a number of bytes that may be used.
type budget struct{ limit, used int64 }

func (b budget) left() int64 { return b.limit - b.used }
