package shell

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// maxDepth limits commands in each other, functions and substitutions, together.
const maxDepth = 1000

// An environment is what commands run in: the shell, or a subshell. It is for one goroutine.
type environment struct {
	shell   *Shell
	ctx     context.Context // of the script, or of a part that has a time limit of its own
	budget  *command.Budget
	running *atomic.Int32 // goroutines of the script

	account    *command.Account // of the variables
	variables  map[string]variable
	functions  map[string]function
	tree       *syntaxTree // of the script that runs
	parameters []string    // $1 and the following
	hasSet     bool        // they are those of set --
	locals     []map[string]variable
	temporary  []string  // variables that exist for a command
	processes  []process // substitutions, of the commands that run
	files      *command.Files
	in         *command.Input
	out, err   io.Writer
	name       string // $0
	isSubshell bool   // of ( ), $( ) or a pipeline
	isDash     bool   // it is sh, whose echo interprets backslashes as that of dash
	options    shellOptions

	status      int
	leaving     leaving
	depth       int
	loops       int // that run
	sourced     int // files that source runs
	negations   int // that are evaluated
	conditions  int // that are evaluated: set -e does not apply to them
	line        uint
	substituted *int // the status of the last substitution of the command
}

// A function is what its name runs.
type function struct {
	body *syntax.Stmt
	tree *syntaxTree // nil if the account of the environment does not count it
}

// leaving says what the statements that run are leaving: nothing, if it is zero.
type leaving struct {
	loops                 int  // how many
	continues             bool // the last of the loops
	function, environment bool
}

// newAccount returns a new account of the script.
func (e *environment) newAccount(owner string) *command.Account {
	return command.NewAccount(e.ctx, e.budget, owner)
}

// sub returns a subshell until ctx ends, which the caller releases.
func (e *environment) sub(ctx context.Context) *environment {
	s := *e
	s.ctx = ctx
	s.account = s.newAccount("the variables")
	const entry = 64 // of a function, whose tree is shared
	size := entry * len(e.functions)
	for name, v := range e.variables {
		size += len(name) + v.size()
	}
	s.account.Grab(size)
	s.variables = maps.Clone(e.variables)
	s.functions = make(map[string]function, len(e.functions))
	for name, f := range e.functions {
		s.functions[name] = function{body: f.body}
	}
	s.tree = &syntaxTree{size: e.tree.size}
	s.processes = slices.Clone(e.processes)
	s.parameters = slices.Clone(e.parameters)
	s.locals = make([]map[string]variable, len(e.locals))
	s.files = &command.Files{
		Workspace: e.files.Workspace, Dir: e.files.Dir, Omitted: e.files.Omitted,
		Special: maps.Clone(e.files.Special),
	}
	for i := range s.locals {
		s.locals[i] = maps.Clone(e.locals[i])
	}
	s.loops = 0
	return &s
}

// release ends the environment.
func (e *environment) release() {
	e.files.Close()
	e.account.Release()
}

// subshell runs f in a subshell and sets the status.
func (e *environment) subshell(f func(s *environment)) {
	s := e.sub(e.ctx)
	defer s.release()
	s.isSubshell = true
	s.contain(func() { f(s) })
	e.status = s.status
}

// contain calls f and ends there what an expansion that fails leaves.
func (e *environment) contain(f func()) {
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case failure:
			e.errorf("%s", failed.text)
			e.status, e.leaving.environment = failed.status, failed.exits
		default:
			panic(failed)
		}
	}()
	f()
}

// A failure is the panic value of an expansion that fails. It ends the line of the script, or the
// whole environment.
type failure struct {
	text   string
	status int
	exits  bool
}

// fail ends the line of the script because of an expansion.
func (e *environment) fail(format string, a ...any) {
	panic(failure{text: fmt.Sprintf(format, a...), status: 1})
}

// errorf writes an error of the shell.
func (e *environment) errorf(format string, a ...any) {
	fmt.Fprintf(e.err, "bash: line %d: "+format+"\n", append([]any{e.line}, a...)...)
}

// enter counts what is inside something else. The caller defers ascend.
func (e *environment) enter() *environment {
	e.depth++
	if e.depth > maxDepth {
		panic(command.Abort{Err: fmt.Errorf(
			"commands, functions and expansions nest more than %d deep; use a loop", maxDepth)})
	}
	return e
}

func (e *environment) ascend() { e.depth-- }
