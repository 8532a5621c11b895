package dialect

import (
	"context"
	"encoding/json"
	"errors"

	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// The causes for which a tool does not show an entry; "" is none.
const (
	Hidden   = "hidden"   // its name begins with a dot
	Ignored  = "ignored"  // by a rule of an ignore file
	Excluded = "excluded" // by a pattern for names or paths
	Kind     = "kind"     // the tool shows nothing of that kind
	Link     = "link"     // a symlink that the tool cannot follow to its end
	Name     = "name"     // the name is not UTF-8

	Unsearchable = "unreadable" // its directory may be read but not searched
)

// A Reason is why a tool leaves out an entry that it looks at. The zero Reason is that of one that it does not leave out.
type Reason struct {
	Cause string
	// Rule is what decides: a rule of an ignore file as file:line:pattern, a glob, or an argument as name=value.
	Rule string
}

// A Sighted tool lists directories, and can say what it leaves out of them.
type Sighted interface {
	tool.Tool
	// Sight returns what a call shows that names the directory at path and says nothing else. The error is the one that
	// such a call gets, or [ErrUnnamed].
	Sight(path string) (Sight, error)
}

// ErrUnnamed: the arguments of a call cannot express the path.
var ErrUnnamed = errors.New("no argument can name it")

// A Reader is a tool that reads files.
type Reader interface {
	tool.Tool
	// Reading returns the arguments of a call that names the file at path and says nothing else.
	Reading(path string) json.RawMessage
}

// A Sight is what one call shows of a directory, which is its start.
type Sight struct {
	// Depth is how many levels are listed; 1 is the start's own entries. DepthRule is the argument that says so.
	Depth     int
	DepthRule string
	// LimitRule is the argument that says how many entries an answer has.
	LimitRule string
	// Judge says why an entry is left out, whatever the depth and the limits. It asks the very filter that lists.
	Judge func(context.Context, Subject) (Reason, error)
	// Shows lists as the call does and reports whether the entry at rel, relative to the start, is in the answer.
	Shows func(ctx context.Context, rel string, b tool.Budget) (bool, error)
}

// Naming returns the arguments of a call that names a path under key and says nothing else.
func Naming(key, path string) json.RawMessage {
	return append(text.AppendQuote([]byte(`{"`+key+`":`), path), '}')
}

// A Subject is an entry to be judged.
type Subject struct {
	// Dir is the directory that the entry lies in, In its path relative to the start, "" for the start itself.
	Dir *workspace.Dir
	In  string
	// Name is as it is on disk.
	Name string
	Kind workspace.Kind
	// Passed says that the question is about what lies below the entry.
	Passed bool
}
