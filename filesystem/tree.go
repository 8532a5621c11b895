package filesystem

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

func (t *fileTool) directoryTree(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	path := a.Required("path").String("")
	excluded := a.Optional("excludePatterns").Strings()
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	exclude, err := newPatterns(ctx, pattern.NewCompiler(ctx), treePatterns(excluded))
	if err != nil {
		return tool.Result{}, err
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	o := walk.Options{Depth: math.MaxInt, MaxBytes: page.MaxBytes(c.Budget)}
	if len(exclude.list) > 0 {
		o.Filter = func(dir *walk.Directory, name []byte, _ workspace.EntryKind) walk.Decision {
			path := text.Lossy(walk.Entry{Name: name, Dir: dir}.Path())
			if ctx.Err() == nil && exclude.match(path) {
				return walk.Omit
			}
			return walk.Show
		}
	}
	tree := page.NewTree(c.Budget, "[", "", closeEntry)
	for e, err := range walk.Entries(ctx, dir, o) {
		if e.Dir == nil {
			return tool.Result{}, newError(err, "scandir", at.path)
		}
		failure := ""
		if err != nil {
			failure = toolerror.Text(err)
		}
		if !addEntry(tree, e.Name, page.Node{Depth: e.Depth(), Kind: e.Kind, Failure: failure}) {
			break
		}
	}
	return finishTree(tree, c.Budget)
}

// addEntry adds an entry to a tree. It reports whether more may fit. It does not retain name.
func addEntry(tree *page.Tree, name []byte, n page.Node) bool {
	tree.Begin(n.Depth)
	indent := 4*n.Depth - 2
	b := newLine(tree.Text, indent)
	b = newLine(append(b, '{'), indent+2)
	b = text.AppendQuote(append(b, `"name": `...), text.LossyKey(nil, name))
	b = newLine(append(b, ','), indent+2)
	if n.Kind == workspace.Directory {
		b = newLine(append(b, `"type": "directory",`...), indent+2)
		b = append(b, `"children": [`...)
	} else {
		b = append(b, `"type": "file"`...)
	}
	tree.Text = b
	return tree.End(n)
}

// closeEntry closes an entry, and the entries above it up to one at the given depth or 1.
func closeEntry(b []byte, n page.Node, depth int) []byte {
	indent := 4*n.Depth - 2
	if n.Kind == workspace.Directory {
		b = append(b, ']')
	}
	if n.Failure != "" {
		b = newLine(append(b, ','), indent+2)
		b = text.AppendQuote(append(b, `"error": `...), n.Failure)
	}
	b = append(newLine(b, indent), '}')
	for up := n.Depth - 1; up >= max(depth, 1); up-- {
		indent = 4*up - 2
		b = append(newLine(b, indent+2), ']')
		b = append(newLine(b, indent), '}')
	}
	return b
}

func newLine(b []byte, indent int) []byte {
	return append(append(b, '\n'), strings.Repeat(" ", indent)...)
}

// finishTree returns the result. If it is cut, the notice is a second part.
func finishTree(tree *page.Tree, b tool.Budget) (tool.Result, error) {
	minimum := min(tree.Count(), 1)
	result, ok := tree.Finish(minimum, func(kept []page.Node) (end, notice string) {
		switch len(kept) {
		case 0:
			return "]", ""
		case tree.Count():
			return "\n]", ""
		default:
			return "\n]", fmt.Sprintf("[gander: output limit of %d bytes reached; %s]", page.LimitOf(b),
				shownEntries(len(kept), "exclude some with excludePatterns, or ask for a subdirectory"))
		}
	})
	if !ok {
		return tool.Result{}, toolerror.TooSmall(b)
	}
	return result, nil
}
