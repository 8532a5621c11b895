// Package shell is a shell that only reads: a part of bash, with commands that run inside the
// process on the files of a workspace.
package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// refused is the status of a script that was refused.
const refused = 2

// searchPath is the value of PATH. Nothing is searched there.
const searchPath = "/usr/bin:/bin"

// maxMemory is the memory that the values of one script have together, in bytes.
const maxMemory = 16 << 20

// A Shell runs scripts on the files of a workspace. It is safe for concurrent use.
type Shell struct {
	workspace *workspace.Workspace
	home      string
	commands  map[string]command.Command // by all their names
	builtins  map[string]builtin
}

// New returns a Shell. "~" is home, or the first root if home is empty.
func New(w *workspace.Workspace, home string) *Shell {
	if home == "" {
		home = w.Roots()[0]
	}
	s := &Shell{
		workspace: w, home: home, builtins: builtins(), commands: make(map[string]command.Command),
	}
	for _, c := range Commands() {
		for _, name := range c.Names {
			s.commands[name] = c
		}
	}
	return s
}

// A Script is what a Shell runs.
type Script struct {
	Text      string
	File      string   // with the script, instead of Text
	Name      string   // $0; "bash" if empty
	Arguments []string // $1 and the following
	Dir       string   // where it begins: absolute, or relative to the first root
	In        io.Reader
	Out, Err  io.Writer // can be the same
}

// A Result is how a script has ended.
type Result struct {
	Status int
	// Refused is why nothing was run, or nil.
	Refused error
	// Stopped is why the script has ended before its end, or nil.
	Stopped error
	// Denied and Unreadable are the numbers of files and directories that it could not read.
	Denied, Unreadable int64
}

// Notes returns lines about what the script has left out, for its user. They are never part of its
// output.
func (r Result) Notes() []string {
	var notes []string
	if r.Refused != nil {
		notes = append(notes, "bash: nothing was run: "+r.Refused.Error())
	}
	if r.Stopped != nil && !errors.Is(r.Stopped, context.DeadlineExceeded) {
		notes = append(notes, "bash: stopped: "+r.Stopped.Error())
	}
	leftOut := func(n int64, reason string) {
		switch {
		case n == 1:
			notes = append(notes, "[left out because "+reason+": 1 file or directory]")
		case n > 1:
			notes = append(notes, fmt.Sprintf("[left out because %s: %d files or directories]", reason, n))
		}
	}
	leftOut(r.Denied, "access is denied")
	leftOut(r.Unreadable, "they cannot be read")
	return notes
}

// Run runs a script. When it returns, nothing of the script runs any more.
func (s *Shell) Run(ctx context.Context, script Script) Result {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e := s.environment(ctx, script)
	defer e.release()
	var file *syntax.File
	var err error
	stopped := guard(func() { file, err = e.begin(script) })
	if err := cmp.Or(err, stopped); err != nil {
		return Result{Status: refused, Refused: err}
	}
	var r Result
	r.Stopped = guard(func() { e.runFile(file) })
	r.Status = e.status
	switch {
	case errors.Is(r.Stopped, context.DeadlineExceeded):
		r.Status = timedOut
	case r.Stopped != nil:
		r.Status = refused
	}
	omitted := e.files.Omitted
	r.Denied, r.Unreadable = omitted.Denied.Load(), omitted.Unreadable.Load()
	return r
}

// begin sets the variables with which a script begins, enters its directory, and parses and checks
// it.
func (e *environment) begin(script Script) (*syntax.File, error) {
	for name, value := range map[string]string{
		"HOME": e.shell.home, "LANG": "C.UTF-8", "PATH": searchPath, "PWD": e.files.Dir,
	} {
		e.put(name, variable{text: value, isSet: true, exported: true})
	}
	e.set("IFS", whiteSpace)
	if err := e.beginIn(script.Dir); err != nil {
		return nil, err
	}
	if script.File != "" {
		text, err := e.readScript(e.account, script.File)
		if err != nil {
			return nil, err
		}
		script.Text = text
	}
	file, err := parse(script.Text)
	if err != nil {
		return nil, err
	}
	e.tree = treeOf(script.Text)
	return file, e.check(file)
}

// beginIn enters the directory in which a script begins, which is relative to the first root.
func (e *environment) beginIn(dir string) error {
	if dir == "" {
		return nil
	}
	if dir == "~" || strings.HasPrefix(dir, "~/") {
		dir = e.shell.home + dir[1:]
	}
	dir = path.Clean(e.files.Absolute(dir))
	if err := e.checkDir(dir); err != nil {
		return fmt.Errorf("the directory %s: %s", text.Escape(dir), command.Message(err))
	}
	e.files.Dir = dir
	e.set("PWD", dir)
	return nil
}

// guard calls f. If f panics, it returns why.
func guard(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case command.Abort:
			err = r.Err
		default:
			err = fmt.Errorf("internal error: %v; please report the command", r)
		}
	}()
	f()
	return nil
}

// environment returns the environment in which a script begins.
func (s *Shell) environment(ctx context.Context, script Script) *environment {
	budget := command.NewBudget(maxMemory)
	dir := s.workspace.Roots()[0]
	lock := new(sync.Mutex)
	e := &environment{
		shell: s, ctx: ctx, budget: budget, account: command.NewAccount(ctx, budget, "the variables"),
		running: new(atomic.Int32), in: command.NoInput(),
		out: &lockedWriter{lock: lock, to: script.Out}, err: &lockedWriter{lock: lock, to: script.Err},
		name: cmp.Or(script.Name, "bash"), parameters: script.Arguments,
		variables: make(map[string]variable), functions: make(map[string]function),
		files: &command.Files{
			Workspace: s.workspace, Dir: dir, Omitted: new(command.Omissions),
			Special: make(map[string]func() *command.Input),
		},
	}
	if script.In != nil {
		e.in = command.NewInput(script.In, nil)
	}
	return e
}

// A lockedWriter is for all goroutines of a script. Both of its streams have the same lock.
type lockedWriter struct {
	lock   *sync.Mutex
	to     io.Writer
	broken atomic.Bool // a write has failed
}

// Write implements io.Writer.
func (w *lockedWriter) Write(b []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	n, err := w.to.Write(b)
	if err != nil {
		w.broken.Store(true)
	}
	return n, err
}
