package gander

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"time"

	"gander/internal/documents"
	"gander/internal/native"
	"gander/internal/native/call"
	"gander/internal/tools/definition"
	"gander/tool"
)

// Options configures a [Toolset]. Zero or nil means the default. A negative limit means no limit.
type Options struct {
	Roots      []string    // accessible directories; default the working directory
	Sets       []Set       // tools of other programs, in addition to gander's own four
	ExtraTools []tool.Tool // tools of your own; all other options apply to them too
	Tools      []string    // selects tools by selectors as in [tool.Policy]; default all above
	// Deny lists globs of paths that cannot be read, entered or searched. Matching ignores case. A
	// pattern without a slash matches at any depth; others match paths from a root or /. A pattern
	// that begins with "!" excepts what it matches exactly from those before it, as in "!testdata/**".
	Deny          []string
	NoDefaultDeny bool              // disables the built-in patterns for common keys and credentials
	Limits        Limits            // limits on every call
	Policy        tool.Policy       // determines which calls are allowed or need approval
	Middleware    []tool.Middleware // wraps every call; the first is outermost
	// Audit, if not nil, is called with the record of each call before its result is returned. If it
	// returns an error, the call fails. It must be safe for concurrent use.
	Audit     func(context.Context, tool.Record) error
	Logger    *slog.Logger // receives a record for each call; default none
	MaxChars  int          // in results of gander's own tools; default 40000
	Documents Documents    // formats that read_file shows as text; default none
}

// A Set is the tools of another program, as codex.Tools returns; zero is none.
type Set definition.Set

// Documents are formats of documents, as package gander/documents returns them; zero is none.
type Documents []documents.Format

// Limits sets limits on every call.
type Limits struct {
	MaxOutputBytes     int           // the maximum size of the text of a result; default 102400
	MaxDataBytes       int           // the same of images and other data; default 5 MiB
	Timeout            time.Duration // excluding middleware, approval and queueing; default 10 s
	CacheBytes         int           // the size of the caches; default 32 MiB, negative means no cache
	MaxConcurrentCalls int           // further calls are queued; default 64, also if negative
}

// sets returns the tools of gander itself, and o.Sets.
func (o Options) sets() []definition.Set {
	settings := call.DefaultSettings()
	settings.MaxChars = max(cmp.Or(o.MaxChars, settings.MaxChars), 0)
	settings.Home, _ = os.UserHomeDir() // if empty, "~" expands to the first root
	settings.Documents = o.Documents
	sets := []definition.Set{native.Set(settings)}
	for _, set := range o.Sets {
		sets = append(sets, definition.Set(set))
	}
	return sets
}

// In the following limits, 0 means no limit, or no cache.

func (l Limits) maxOutputBytes() int    { return max(cmp.Or(l.MaxOutputBytes, 102400), 0) }
func (l Limits) maxDataBytes() int      { return max(cmp.Or(l.MaxDataBytes, 5<<20), 0) }
func (l Limits) timeout() time.Duration { return max(cmp.Or(l.Timeout, 10*time.Second), 0) }
func (l Limits) cacheBytes() int        { return max(cmp.Or(l.CacheBytes, 32<<20), 0) }
