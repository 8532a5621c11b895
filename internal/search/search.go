package search

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"math"
	"slices"

	"gander/internal/files/charset"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// An Output specifies the results for a matching file.
type Output uint8

const (
	Lines  Output = iota // the file, followed by its matching lines with their context
	Names                // only the file, whose rest is not read
	Counts               // the file with the number of matching lines
)

// Options holds the options of [Search].
type Options struct {
	Scope
	Output Output
	Invert bool // finds the lines that do not match; they have no spans
	Zero   bool // with Counts, also yields the files without a line
	// Before and After are the numbers of lines of context. A goroutine holds at most 1 MiB of lines
	// for Before, and cuts longer lines.
	Before, After int
	// Documents, if not nil, recognizes the files whose text must be extracted. They are counted in
	// Totals.Documents, or their text is searched if WithDocuments is set. A search reserves memory
	// for one document, and its workers get more if there is enough. It is called on several
	// goroutines at once, and each uses its documents.
	Documents     Recognizer
	WithDocuments bool
	// Decide, if not nil, decides by the beginning of a file, of at most 64 KiB, whether it is text,
	// and in which encoding. A NUL then does not end the search of a text.
	Decide func(head []byte) (e charset.Encoding, isText bool)
	// Workers is the maximum number of goroutines that help a long search. The default is the
	// number of processors, at most 8, or 16 if opening files waits for the file system. Negative
	// means none. The results do not depend on it.
	Workers int
	Totals  *Totals // if not nil, is updated during the search
	// Progress, if not nil, is called on the caller's goroutine after each file, after each piece
	// of a large file except the last, with the size of the piece, and between directories after every
	// few thousand entries that the walk lists. A file of UTF-16 is one piece. It ends the search by
	// returning false. The calls do not depend on the number of workers.
	Progress func(size int64, file bool) bool

	// Tests set the others.
	eager  bool   // workers help from the beginning
	onTask func() // if not nil, is called on the goroutine of a worker before each task
}

// A Recognizer returns the document in a file, or nil if the file is none. The file has a name and
// begins with head, at most 64 KiB.
type Recognizer func(
	ctx context.Context, f *workspace.File, name string, head []byte,
) (Document, error)

// A Document is a file whose text can be extracted.
type Document interface {
	// Text opens the text: UTF-8 in lines of less than 64 KiB. The reader should return text soon
	// after it has been extracted.
	Text(ctx context.Context) io.ReadCloser
	// Close frees what recognizing the document took.
	Close()
}

// ErrCut is the error about a document of which only the beginning was searched, because time was
// short. What was found is a result.
var ErrCut = errors.New("only the beginning was searched, because time was short")

// A Result is a matching file or one of its lines, which follow the file.
type Result struct {
	Path  string // relative to the start and with slashes, or "" if the start is a file
	Count int    // the number of matching lines, with Counts
	// Binary reports that matching lines are omitted because the file has a NUL. If some lines of the
	// file were yielded, the file is yielded again with Binary set.
	Binary bool
	NUL    int64 // with Binary, the offset of the first NUL that was found
	Line   Line  // has the number 0 if the result is the file
}

// Search searches the file at start, or the files below the directory at start. At first it reads
// only until the caller stops. In a long search, other goroutines read ahead.
//
// An error with a Path is about an unreadable file or directory, and the search continues. An error
// without a Path is about start or ctx, and ends the search, except [ErrCut]. A file that vanishes,
// or is replaced by something other than a regular file, is omitted.
func Search(
	ctx context.Context, w *workspace.Workspace, start workspace.Location, m *match.Matcher, o Options,
) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		r := newRun(ctx, m, start, o, yield)
		defer r.close()
		err := r.search(w)
		if err != nil && err != errStopped {
			yield(Result{}, err)
		}
	}
}

var errStopped = errors.New("the caller has stopped")

// search searches the start.
func (r *run) search(w *workspace.Workspace) error {
	info, err := r.start.Stat()
	if err != nil {
		return err
	}
	if err := r.reserve(); err != nil {
		return err
	}
	if info.Kind == workspace.Directory {
		return r.searchTree(w)
	}
	f, err := r.start.File()
	if err != nil {
		return err
	}
	defer f.Close()
	return r.searchItem(&item{file: f, name: r.start.Path(), named: true})
}

// searchTree searches the files below the start.
func (r *run) searchTree(w *workspace.Workspace) error {
	dir, err := r.start.Dir()
	if err != nil {
		return err
	}
	defer dir.Close()
	walked := new(Totals) // since the last file
	sel, err := newSelector(r.ctx, w, r.o.Scope, walked)
	if err != nil {
		return err
	}
	defer sel.stop()
	sel.wants = func(_ *walk.Directory, _ []byte, kind workspace.EntryKind) bool {
		return kind == workspace.Regular || kind == workspace.Unknown
	}
	sel.between, sel.within = searchEvery, math.MaxInt
	sel.progress = func() error { return r.progress(walked) }
	for e, err := range walk.Entries(sel.ctx, dir, sel.options()) {
		switch {
		case sel.ended != nil:
			return sel.ended
		case e.Dir == nil: // the error ends the walk
			drainErr := r.drain()
			return cmp.Or(drainErr, err)
		}
		i := item{
			walked: *walked, path: e.Path(), name: string(e.Name), kind: e.FileKind(), err: err,
		}
		*walked = Totals{}
		if err := r.searchEntry(e, i); err != nil {
			return err
		}
	}
	sel.reportAfter(searchEvery)
	if sel.ended != nil {
		return sel.ended
	}
	err = r.drain()
	r.o.Totals.add(walked)
	return err
}

// searchEvery is the number of listed entries after which Progress is called. It is large because
// the results of all tasks are yielded before.
const searchEvery = 4096

// progress yields the results of all tasks, and reports the progress of the walk since then.
func (r *run) progress(walked *Totals) error {
	if err := r.drain(); err != nil {
		return err
	}
	r.o.Totals.add(walked)
	*walked = Totals{}
	if !r.o.Progress(0, false) {
		return errStopped
	}
	return nil
}

// Totals counts files and directories up to the current result, excluding files that workers have
// read ahead.
type Totals struct {
	// Selected counts the entries to be searched, or the entries found. In [walk.NewestFirst] it is
	// complete before the first result.
	Selected int
	Listed   int // entries that the walk has listed
	Searched int // files
	Binary   int // files whose search ended at a NUL
	// Documents counts those that were not searched without Options.WithDocuments, Late those that
	// were not searched because time was short, and Extracted the others.
	Documents, Late, Extracted int
	Decoded                    map[string]int // files with a match, by guessed encoding
	Ignored                    int            // files and directories that an ignore file excludes
	Denied                     map[string]int // files and directories that each deny pattern excludes
	Unused                     []string       // the first ignore files and lines that are too long
	UnusedCount                int            // all of them
}

func (t *Totals) add(u *Totals) {
	t.Selected += u.Selected
	t.Listed += u.Listed
	t.Searched += u.Searched
	t.Binary += u.Binary
	t.Documents += u.Documents
	t.Late += u.Late
	t.Extracted += u.Extracted
	t.Ignored += u.Ignored
	t.UnusedCount += u.UnusedCount - len(u.Unused)
	for _, name := range u.Unused {
		t.addUnused(name)
	}
	for pattern, n := range u.Denied {
		t.addDenied(pattern, n)
	}
	for name, n := range u.Decoded {
		t.addDecoded(name, n)
	}
}

func (t *Totals) addDenied(pattern string, n int) {
	if t.Denied == nil {
		t.Denied = make(map[string]int)
	}
	t.Denied[pattern] += n
}

func (t *Totals) addUnused(name string) {
	const named = 3
	t.UnusedCount++
	if len(t.Unused) < named {
		t.Unused = append(t.Unused, name)
	}
}

func (t *Totals) addDecoded(encoding string, n int) {
	if t.Decoded == nil {
		t.Decoded = make(map[string]int)
	}
	t.Decoded[encoding] += n
}

// deniedBy returns the deny pattern that an error is about, if any.
func deniedBy(err error) (pattern string, ok bool) {
	denied, ok := errors.AsType[*workspace.DeniedError](err)
	if !ok {
		return "", false
	}
	return denied.Pattern, true
}

// changes are the errors about an entry that has changed since it was listed.
var changes = []error{
	fs.ErrNotExist, workspace.ErrNotRegular, workspace.ErrNotDirectory, workspace.ErrIsDirectory,
}

func hasChanged(err error) bool {
	return slices.ContainsFunc(changes, func(change error) bool { return errors.Is(err, change) })
}
