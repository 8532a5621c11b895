package codex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"gander/internal/files/ignore"
	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/tools/definition"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// grepFiles is codex/grep_files, which calls ripgrep in the original.
type grepFiles struct {
	definition.Defined
	workspace *workspace.Workspace
	options   GrepFilesOptions
	verbatim  bool          // print names without escaping control characters
	timeout   time.Duration // as published
}

func newGrepFiles(w *workspace.Workspace, o Options) *grepFiles {
	return &grepFiles{definitionOf("grep_files"), w, o.GrepFiles, o.VerbatimNames, 30 * time.Second}
}

// A grepFilesRequest holds the valid arguments of a call.
type grepFilesRequest struct {
	pattern string
	include string // "" for none
	path    string // absolute, a prefix of the resulting paths
	limit   int
}

// parseRequest decodes and validates the arguments in the published order.
func (t *grepFiles) parseRequest(raw json.RawMessage) (grepFilesRequest, error) {
	a := t.Arguments(raw)
	a.Only("pattern", "include", "path", "limit")
	root := t.workspace.Roots()[0]
	r := grepFilesRequest{
		pattern: strings.TrimSpace(a.Required("pattern").String("")),
		include: strings.TrimSpace(a.Nullable("include").String("")),
		path:    joined(root, a.Nullable("path").String(root)),
		limit:   min(a.Optional("limit").Unsigned(t.options.Limit), t.options.MaxLimit),
	}
	switch {
	case a.Err() != nil:
		return r, a.Err()
	case r.pattern == "":
		return r, toolerror.BadArguments("pattern must not be empty")
	case r.limit == 0:
		return r, toolerror.BadArguments("limit must be greater than zero")
	}
	return r, nil
}

// compile returns the matcher of the pattern, or the error about the pattern or the glob. The
// search compiles the glob again, but its errors are about files.
func (r grepFilesRequest) compile(ctx context.Context) (*match.Matcher, error) {
	m, err := match.Compile(ctx, r.pattern, match.Options{})
	if err == nil {
		_, err = pattern.CompileList(ctx, []string{r.include})
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, toolerror.Problems(strings.Split("rg failed: "+err.Error(), "\n")...)
	default:
		return m, nil
	}
}

// joined joins two paths as Rust does. It does not clean them.
func joined(dir, path string) string {
	switch {
	case !workspace.IsRelative(path):
		return path
	case strings.HasSuffix(dir, "/"), strings.HasSuffix(dir, string(filepath.Separator)):
		return dir + path
	default:
		return dir + "/" + path
	}
}

// Call searches files.
func (t *grepFiles) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	result, err := t.run(limited, r, c.Budget)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		message := fmt.Sprintf("rg timed out after %.0f seconds", t.timeout.Seconds())
		return tool.Result{}, &tool.Error{Kind: tool.Timeout, Message: message, Err: err}
	}
	return result, err
}

// find returns the location at a path, which must be a directory or a regular file.
func (t *grepFiles) find(ctx context.Context, path string) (workspace.Location, error) {
	start, err := t.workspace.Find(ctx, path)
	if err != nil {
		return start, err
	}
	info, err := start.Stat()
	if err == nil && info.Kind != workspace.Directory && info.Kind != workspace.Regular {
		err = workspace.ErrNotRegular
	}
	return start, err
}

// unable is the format of the error about an inaccessible path.
const unable = "unable to access `%s`: %s"

// run lists the matching files at or below the path.
func (t *grepFiles) run(
	ctx context.Context, r grepFilesRequest, b tool.Budget,
) (tool.Result, error) {
	start, err := t.find(ctx, r.path)
	if err != nil {
		return tool.Result{}, t.newError(unable, r.path, err)
	}
	m, err := r.compile(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	out := page.New(b)
	found := 0
	// As ripgrep without options, but newest first.
	o := search.Options{Output: search.Names, Scope: search.Scope{
		Order: walk.NewestFirst,
		Ignore: ignore.Options{
			Git: true, Nested: true, OpenGit: true, Tools: search.ToolIgnoreFiles(),
		},
		Globs: []string{r.include}, GlobPrefix: t.globPrefix(r.path),
	}}
	for f, err := range search.Search(ctx, t.workspace, start, m, o) {
		isStart := f.Path == ""
		line := r.path
		if !isStart {
			line = joined(r.path, f.Path)
		}
		switch {
		case err != nil && (isStart || isOutOfHandles(err)):
			return tool.Result{}, t.searchError(r.path, err)
		case err != nil, !utf8.ValidString(line): // the original reads lines of UTF-8
			continue
		}
		found++
		if !out.Add(text.Printable([]byte(line), t.verbatim)) || found == r.limit {
			break
		}
	}
	if found == 0 {
		out.Line("No matches found.")
	}
	result, err := out.Finish(func(int) string { return "search for less, or raise the limit" })
	if err != nil {
		return tool.Result{}, err
	}
	result.NothingFound = found == 0
	return result, nil
}

// isOutOfHandles reports whether err can affect every file, because no more files can be opened.
func isOutOfHandles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

func (t *grepFiles) searchError(path string, err error) error {
	switch toolerror.Cause(err) {
	case workspace.ErrOutside, workspace.ErrDenied, workspace.ErrNotRegular, fs.ErrNotExist:
		return t.newError(unable, path, err)
	}
	return t.newError("rg failed: %s: %s", path, err)
}

// globPrefix returns the prefix of the paths that ripgrep matches with a glob: the path of the call
// without the working directory. Like ripgrep, it removes the bytes of that directory also if they
// end within a name.
func (t *grepFiles) globPrefix(path string) string {
	prefix := path
	for _, root := range []string{t.workspace.Roots()[0], t.workspace.Resolved()[0]} {
		if rest, ok := strings.CutPrefix(path, root); ok {
			prefix = strings.TrimPrefix(rest, "/")
			break
		}
	}
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	return prefix
}

// rustTexts are the texts of Rust on Linux.
var rustTexts = toolerror.Texts{
	workspace.ErrOutside:      "{error}; use a path inside it",
	workspace.ErrDenied:       "permission denied",
	fs.ErrNotExist:            "No such file or directory (os error 2)",
	syscall.EPERM:             "Operation not permitted (os error 1)",
	fs.ErrPermission:          "Permission denied (os error 13)",
	workspace.ErrNotDirectory: "Not a directory (os error 20)",
	syscall.ENAMETOOLONG:      "File name too long (os error 36)",
	workspace.ErrLoop:         "Too many levels of symbolic links (os error 40)",
	fs.ErrInvalid:             "file name contained an unexpected NUL byte",
}

// newError returns the error about a path.
func (t *grepFiles) newError(format, path string, err error) error {
	return toolerror.New(err, fmt.Sprintf(format, text.Escape(path), rustTexts.Of(err)))
}
