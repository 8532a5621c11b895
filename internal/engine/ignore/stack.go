package ignore

import (
	"bytes"
	"context"
	"strings"
)

// Stack is ignore files, the last pushed having the first word. It is persistent: pushing leaves the stack below as it
// was, for others to push on. Nil is the empty stack. Any number of goroutines may use one.
//
// A rule says something only about what lies below its file's base, so one stack can hold the files of every directory on
// a path. In and Match never ask a file inside an ignored directory, so it is no matter whether such a file is pushed.
type Stack struct {
	file  *File
	below *Stack
}

// Push returns a stack with f on top of s. Nil, or a file without rules, changes nothing.
func (s *Stack) Push(f *File) *Stack {
	if f == nil || len(f.rules) == 0 {
		return s
	}
	return &Stack{f, s}
}

// Match judges the entry at path: slash-separated, relative to the root, clean, in any bytes. Whatever lies in an ignored
// directory is ignored, by the rule that ignores the uppermost such directory. The root itself is never ignored.
func (s *Stack) Match(path string, isDir bool) Match {
	if path == "" {
		return Match{}
	}
	slash := strings.LastIndexByte(path, '/')
	return s.In(path[:max(slash, 0)]).Match(path[slash+1:], isDir)
}

// In is the view from the directory dir, "" for the root, on its entries.
func (s *Stack) In(dir string) *Dir { return s.InContext(context.Background(), dir) }

// InContext is In for as long as ctx lasts. Rules made for the purpose take long to match; once ctx is over, none does any
// more, and what was answered meanwhile is no answer.
func (s *Stack) InContext(ctx context.Context, dir string) *Dir {
	d := &Dir{stack: s, effort: effort{ctx: ctx}}
	if dir == "" {
		return d
	}
	for name := range strings.SplitSeq(dir, "/") {
		d.descend(name)
	}
	return d
}

// Enter is the view from the subdirectory called name, whose own ignore file is pushed on the stack; nil is none. It lasts
// as long as d does.
func (d *Dir) Enter(name string, own *File) *Dir {
	sub := &Dir{stack: d.stack.Push(own), path: bytes.Clone(d.path), ignored: d.ignored, effort: d.effort}
	sub.descend(name)
	return sub
}

// descend makes d the view from the subdirectory called name.
func (d *Dir) descend(name string) {
	if m := d.Match(name, true); m.Verdict == Ignore {
		d.ignored = m
	}
	d.path = append(append(d.path, name...), '/')
}

// Dir judges the entries of one directory. It is for one goroutine at a time.
type Dir struct {
	stack   *Stack
	path    []byte // the directory's, with a slash at the end; names are written behind it
	ignored Match  // the rule that ignores the directory or one above it
	effort  effort
}

// An effort is the work of matching that is done until a context is over.
type effort struct {
	ctx   context.Context
	steps int // since the context was last asked
}

// spend adds steps, and reports whether there is an end to it.
func (e *effort) spend(steps int) (over bool) {
	const often = 1 << 20 // some milliseconds at the worst
	if e.steps += steps; e.steps < often {
		return false
	}
	e.steps = 0
	return e.ctx.Err() != nil
}

// Match judges the entry called name, as [Stack.Match] does its path. It allocates nothing, short of a name longer than
// all before.
func (d *Dir) Match(name string, isDir bool) Match {
	if d.ignored.Verdict == Ignore {
		return d.ignored
	}
	at := len(d.path)
	path := append(d.path, name...)
	d.path = path[:at]
	for s := d.stack; s != nil; s = s.below {
		if m := s.file.match(&d.effort, path, at, isDir); m.Verdict != None {
			return m
		}
	}
	return Match{}
}
