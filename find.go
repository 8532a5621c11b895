package gander

import (
	"context"
	"iter"
	"path"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/tool"
)

// Files say which entries below a directory [Toolset.Search] and [Toolset.Find] consider. The zero value leaves out hidden
// entries and those that git, .ignore or .rgignore ignore, as ripgrep does, and considers entries in the order of their paths.
type Files struct {
	// Globs include and exclude files by their paths below the directory. They are as lines of a .gitignore, with braces: *.go
	// matches at any depth, src/*.go only in src, and a "!" at the beginning excludes. Of the globs that match a file the
	// last decides, before ignore files and hiding. If there is a glob without "!", files that none matches are left out.
	Globs []string
	// Hidden includes entries whose names begin with a dot.
	Hidden bool
	// NoIgnore includes entries that are ignored, and .git if Hidden is set.
	NoIgnore bool
	// Order is the order of the files. It is [PreOrder], that of ripgrep's --sort path, unless another is chosen.
	Order Order
}

func (f Files) scope() search.Scope {
	s := search.Scope{Hidden: f.Hidden, Globs: f.Globs}
	s.Order, s.NameOrder = f.Order.walk()
	if !f.NoIgnore {
		s.Ignore = ignore.Options{Git: true, Nested: true, Tools: search.ToolIgnoreFiles()}
	}
	return s
}

// FindOptions say what [Toolset.Find] finds.
type FindOptions struct {
	Files
	// Pattern is what the path of an entry below the directory must match. With one of the characters *?[{\ it is a glob, as
	// in Files.Globs. Otherwise it is a part of the path, and case is ignored. "" matches everything.
	Pattern string
	// OnlyFiles and OnlyDirectories restrict what is found to regular files or to directories.
	OnlyFiles, OnlyDirectories bool
	// Limit is the most entries to find. 0 sets no limit.
	Limit int
}

// Find finds entries below a directory of the workspace by their paths. Files.Globs and ignore files decide which directories
// it enters. A relative dir is relative to the first root, as in calls. Find is confined as [Toolset.List] is, and yields
// entries and errors as List does, but leaves out what a deny pattern matches. The error of a pattern or glob that is
// wrong has the kind [tool.BadArguments].
func (t *Toolset) Find(ctx context.Context, dir string, o FindOptions) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		p, err := t.workspace.Find(dir)
		if err != nil {
			yield(Entry{}, pathError("search", dir, err))
			return
		}
		find := search.FindOptions{Scope: o.scope(), Pattern: o.Pattern, Limit: max(o.Limit, 0)}
		if o.OnlyFiles {
			find.Kinds = append(find.Kinds, workspace.Regular)
		}
		if o.OnlyDirectories {
			find.Kinds = append(find.Kinds, workspace.Directory)
		}
		if err := find.Check(ctx); err != nil {
			yield(Entry{}, badPattern(err))
			return
		}
		for e, err := range search.Find(ctx, t.workspace, p, find) {
			if e.Dir == nil {
				yield(Entry{}, pathError("search", dir, err))
				return
			}
			entry := entryOf(e, &p)
			if err != nil {
				err = pathError("search", path.Join(dir, entry.Path), err)
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// badPattern returns the error of a pattern or glob that does not mean anything.
func badPattern(err error) error {
	return &tool.Error{Kind: tool.BadArguments, Message: err.Error(), Err: err}
}
