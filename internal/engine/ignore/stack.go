package ignore

import (
	"bytes"
	"context"
	"strings"
)

// A Stack holds ignore files in ascending precedence. It is persistent: Push returns another Stack and leaves its receiver
// as it was. Nil is the empty stack. A Stack is safe for concurrent use.
//
// A rule only applies below the base of its file, so one Stack can hold the files of many directories. Files that lie in an
// ignored directory have no effect and need not be pushed.
type Stack struct {
	file  *File
	below *Stack
}

// Push returns a stack in which f has precedence over the files of s. A nil file, or one without rules, changes nothing.
func (s *Stack) Push(f *File) *Stack {
	switch {
	case f == nil || len(f.rules) == 0:
		return s
	case s != nil && s.file.rank > f.rank:
		return &Stack{s.file, s.below.Push(f)}
	default:
		return &Stack{f, s}
	}
}

// Match judges the entry at path: slash-separated, relative to the root, clean, in any bytes. What lies in an ignored
// directory is ignored, by the rule that ignores the uppermost such directory. The root itself is never ignored.
func (s *Stack) Match(path string, isDir bool) Match {
	if path == "" {
		return Match{}
	}
	slash := strings.LastIndexByte(path, '/')
	return s.In(context.Background(), path[:max(slash, 0)]).Match(path[slash+1:], isDir)
}

// In returns a Dir that judges the entries of the directory dir, "" for the root.
//
// Hostile rules take long to match. Once ctx is done they are given up, and the verdicts are then unreliable: check ctx
// before using them.
func (s *Stack) In(ctx context.Context, dir string) *Dir {
	d := &Dir{stack: s, effort: effort{ctx: ctx}}
	if dir == "" {
		return d
	}
	for name := range strings.SplitSeq(dir, "/") {
		d.descend(name)
	}
	return d
}

// A Dir judges the entries of one directory. It is not safe for concurrent use.
type Dir struct {
	stack   *Stack
	path    []byte // of the directory, ending in a slash; names are written after it
	folded  []byte // the path being judged in lower case, where a file asks for it
	ignored Match  // the rule that ignores the directory or one above it
	effort  effort
}

// Enter returns a Dir for the subdirectory called name.
func (d *Dir) Enter(name string) *Dir {
	sub := &Dir{stack: d.stack, path: bytes.Clone(d.path), ignored: d.ignored, effort: d.effort}
	sub.descend(name)
	return sub
}

// Push gives an ignore file of the directory itself precedence over the files of d so far. It has no effect on Dirs that
// were entered from d before.
func (d *Dir) Push(f *File) { d.stack = d.stack.Push(f) }

// descend turns d into a Dir for the subdirectory called name.
func (d *Dir) descend(name string) {
	if m := d.Match(name, true); m.Verdict == Ignore {
		d.ignored = m
	}
	d.path = append(append(d.path, name...), '/')
}

// Match judges the entry called name, as [Stack.Match] judges its path. It does not allocate, unless name is longer than
// all names before.
func (d *Dir) Match(name string, isDir bool) Match {
	return d.judge(append(d.path, name...), isDir)
}

// judge is Match for d.path followed by a name.
func (d *Dir) judge(path []byte, isDir bool) Match {
	at := len(d.path)
	d.path = path[:at]
	if d.ignored.Verdict == Ignore {
		return d.ignored
	}
	isFolded := false
	for s := d.stack; s != nil; s = s.below {
		subject := path
		if s.file.fold {
			if !isFolded {
				d.folded, isFolded = appendLower(d.folded[:0], path), true
			}
			subject = d.folded
		}
		if m := s.file.match(&d.effort, subject, at, isDir); m.Verdict != None {
			return m
		}
	}
	return Match{}
}

// An effort counts the work of matching and gives up once a context is done.
type effort struct {
	ctx   context.Context
	steps int // since ctx was last checked
}

// spend counts steps and reports whether the context is done. It checks that every few milliseconds at most.
func (e *effort) spend(steps int) (done bool) {
	const interval = 1 << 20
	if e.steps += steps; e.steps < interval {
		return false
	}
	e.steps = 0
	return e.ctx.Err() != nil
}
