package search

import (
	"errors"
	"io/fs"

	"gander/internal/files/workspace"
)

// Totals counts files and directories up to the current result, excluding files that workers have
// read ahead.
type Totals struct {
	// Listed counts the entries to be searched, or the entries found. In [walk.NewestFirst] it is
	// complete before the first result.
	Listed   int
	Visited  int            // entries that the walk has listed
	Searched int            // files
	Binary   int            // files whose search ended at a NUL
	Ignored  int            // files and directories that an ignore file excludes
	Denied   map[string]int // files and directories that each deny pattern excludes
}

func (t *Totals) add(u *Totals) {
	t.Listed += u.Listed
	t.Visited += u.Visited
	t.Searched += u.Searched
	t.Binary += u.Binary
	t.Ignored += u.Ignored
	for pattern, n := range u.Denied {
		t.addDenied(pattern, n)
	}
}

func (t *Totals) addDenied(pattern string, n int) {
	if t.Denied == nil {
		t.Denied = make(map[string]int)
	}
	t.Denied[pattern] += n
}

// countError counts an error about an entry, and reports whether to yield it.
func (t *Totals) countError(err error) bool {
	switch {
	case errors.Is(err, workspace.ErrDenied):
		var pattern string
		if e, ok := errors.AsType[*workspace.DeniedError](err); ok {
			pattern = e.Pattern
		}
		t.addDenied(pattern, 1)
		return false
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, workspace.ErrNotRegular),
		errors.Is(err, workspace.ErrNotDirectory), errors.Is(err, workspace.ErrIsDirectory):
		return false // the entry has changed since it was listed
	default:
		return true
	}
}
