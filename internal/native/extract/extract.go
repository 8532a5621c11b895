// Package extract keeps what is known about the extracted text of documents, from one call to the
// next.
package extract

import (
	"gander/internal/documents"
	"gander/internal/files/lines"
)

// An Index is what is known about the text of a document. The workspace caches it with the
// name [Cached].
type Index struct {
	*documents.Outline
	Lines *lines.Index
}

// Cached is the name of a cached [Index].
const Cached = "document"

// NewIndex returns an index that knows nothing yet.
func NewIndex() Index { return Index{new(documents.Outline), lines.NewIndex()} }

// CacheSize implements [workspace.Cacheable].
func (x Index) CacheSize() int {
	const ofLines = 8 << 10 // for 256 MiB of text
	if size := x.Outline.Size(); size > 0 {
		return size + ofLines
	}
	return 0
}
