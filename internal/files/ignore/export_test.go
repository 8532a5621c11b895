package ignore

import (
	"context"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
)

// Parse parses an ignore file.
func Parse(source, base, text string) *File { return parse(source, base, text) }

// InMemory returns the Chain for the entries of dir, or of the root if dir is "", with the rules of
// files in ascending precedence. It reads no other files.
func InMemory(ctx context.Context, dir string, files ...*File) *Chain {
	c := &Chain{reader: &reader{ctx: ctx}, left: maxTotal, work: pattern.NewWork(ctx)}
	push := func() {
		for _, f := range files {
			if f.base == string(c.path) {
				c.push(f)
			}
		}
	}
	push()
	for name := range strings.FieldsFuncSeq(dir, func(r rune) bool { return r == '/' }) {
		c, _ = c.Enter(name, nil)
		push()
	}
	return c
}

// MatchPath matches a path with the rules of files.
func MatchPath(path string, isDir bool, files ...*File) Match {
	if path == "" {
		return Match{}
	}
	slash := strings.LastIndexByte(path, '/')
	c := InMemory(context.Background(), path[:max(slash, 0)], files...)
	return c.MatchName(path[slash+1:], isDir)
}

// MatchName matches an entry of the directory.
func (c *Chain) MatchName(name string, isDir bool) Match {
	kind := workspace.Regular
	if isDir {
		kind = workspace.Directory
	}
	return c.Match([]byte(name), kind)
}
