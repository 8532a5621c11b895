package shared

import (
	"context"
	"encoding/json"
	"errors"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/tool"
)

// A Lister is a tool that lists directories and can explain what it leaves out.
type Lister interface {
	tool.Tool
	// Listing returns what a call shows whose only argument is the directory at path. The error is that of the call, or
	// [ErrNotExpressible].
	Listing(path string) (Listing, error)
}

// A PathWriter is a tool whose argument can hold a path in another form than the path itself.
type PathWriter interface {
	// WritePath returns what the argument is for a path, which need not be UTF-8.
	WritePath(path string) string
}

// ErrNotExpressible reports that no arguments of a call can express a path.
var ErrNotExpressible = errors.New("no argument can name it")

// A Listing describes what one call shows of the directory that it lists.
type Listing struct {
	// Depth is the number of levels listed; 1 is the entries of the directory itself. DepthRule is the argument that sets it.
	Depth     int
	DepthRule string
	// LimitRule is the argument that limits the number of entries.
	LimitRule string
	// Filter returns why the entry is left out regardless of depth and limits. It applies the filter that the tool lists with.
	Filter func(context.Context, Candidate) (tool.Reason, error)
	// Contains lists as the call does and reports whether the answer contains the entry at rel, a path relative to the
	// listed directory.
	Contains func(ctx context.Context, rel string, b tool.Budget) (bool, error)
}

// PathArguments returns the arguments of a call that has the path under key and no other argument.
func PathArguments(key, path string) json.RawMessage {
	return append(text.AppendQuote([]byte(`{"`+key+`":`), path), '}')
}

// A Candidate is an entry that a [Listing] may leave out.
type Candidate struct {
	// Dir is the directory that holds the entry. DirPath is its path relative to the listed directory, "" for that itself.
	Dir     *workspace.Dir
	DirPath string
	// Name is the entry's name as it is on disk.
	Name string
	Kind workspace.EntryKind
	// Entered reports that the question is about something below the entry, a directory, not about the entry itself.
	Entered bool
}
