package shell

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// A builtin is a command that sees or changes the shell itself.
type builtin struct {
	options  command.Options
	operands string // as in command.Command
	raw      bool   // all arguments are operands
	program  bool   // elsewhere it is a program, too
	// check refuses operands that are known before the script runs, or is nil.
	check func(c *checker, a command.Arguments)
	run   func(e *environment, c *command.Call, a command.Arguments) int
}

// simple runs a command with its arguments, or only assigns variables.
func (e *environment) simple(c *syntax.CallExpr, redirections []*syntax.Redirect) {
	account := e.newAccount("the arguments")
	defer account.Release()
	e.substituted = nil
	args := e.fields(account, c.Args)
	if len(args) == 0 {
		for _, a := range c.Assigns {
			e.assign(a)
		}
		status := 0
		if e.substituted != nil {
			status = *e.substituted
		}
		e.redirect(redirections, func() { e.status = status })
		return
	}
	before := e.temporary
	defer func() { e.temporary = before }()
	for _, a := range c.Assigns {
		if isBytewise(args[0]) && isPlainLocale(a) {
			continue
		}
		e.temporary = append(slices.Clip(e.temporary), a.Name.Value)
		defer e.put(a.Name.Value, e.variables[a.Name.Value])
		e.assign(a)
		e.export(a.Name.Value)
	}
	e.redirect(redirections, func() { e.execute(args) })
}

// execute runs a function, a builtin or a command of the table.
func (e *environment) execute(args []string) {
	if f := e.functions[args[0]]; f.body != nil {
		e.call(f, args[1:])
		return
	}
	e.status = e.command(args, e.in, nil, e.titleOf(args[0]))
}

// titleOf returns how a command begins its errors: one that is a builtin also names its line.
func (e *environment) titleOf(name string) string {
	b, isBuiltin := e.shell.builtin(name)
	if isBuiltin && (!b.program || isAlsoBuiltin(name)) {
		return fmt.Sprintf("bash: line %d: %s", e.line, name)
	}
	return path.Base(name)
}

// command runs a builtin or a command of the table, which begins its errors with a title. Its
// output is out, or that of the shell.
func (e *environment) command(
	args []string, in *command.Input, out *command.Output, title string,
) int {
	e.account.Check()
	e.checkPath(args[0])
	run, err := e.prepare(args)
	if err != nil {
		stopIfRefused(err)
		e.errorf("%s: %v", args[0], err)
		return 2
	}
	stdin := e.files.Special["/dev/stdin"]
	e.files.Special["/dev/stdin"] = in.Share
	defer func() { e.files.Special["/dev/stdin"] = stdin }()
	c := &command.Call{
		Name: title, In: in, Out: out, Err: e.err, Files: e.files,
		Account:  e.newAccount(path.Base(args[0])),
		Variable: e.exportedValue, Exported: e.exported,
	}
	c.Exec = func(
		_ context.Context, args []string, in *command.Input, out *command.Output,
	) int {
		if out == nil {
			c.Out.Flush()
		}
		return e.program(args, in, out)
	}
	if out == nil {
		c.Out = command.NewOutput(e.out)
		_, isPipe := e.out.(*pipe)
		c.Out.Early = isPipe && e.err != e.out // or errors would come in another order
		defer c.Out.Close()
	}
	status := c.Run(e.ctx, run)
	_, isBuiltin := e.shell.builtin(args[0])
	result, isResult := e.out.(*lockedWriter)
	// SIGPIPE ends the shell if it writes itself.
	if isBuiltin && c.Out.IsBroken || isResult && result.broken.Load() {
		e.leaving.environment = true
	}
	return status
}

// checkPath refuses a program that is not in the directories of PATH.
func (e *environment) checkPath(name string) {
	value, _ := e.value("PATH")
	if value == searchPath || strings.Contains(name, "/") || e.kindOf(name) != "file" {
		return
	}
	dirs := strings.Split(value, ":")
	if !slices.Contains(dirs, "/usr/bin") && !slices.Contains(dirs, "/bin") {
		command.Stop("%s: PATH has no /usr/bin; add it", name)
	}
}

// program runs a command for another command. It must be one that is a program elsewhere.
func (e *environment) program(args []string, in *command.Input, out *command.Output) int {
	if b, ok := e.shell.builtin(args[0]); ok && !b.program {
		command.Stop("%s: only the shell itself can run it; use it outside", args[0])
	}
	return e.command(args, in, out, path.Base(args[0]))
}

// prepare finds a builtin or a command, and checks its arguments.
func (e *environment) prepare(args []string) (command.Run, error) {
	name := args[0]
	if b, ok := e.shell.builtin(name); ok {
		a, err := b.parse(programName(name), args[1:])
		return func(_ context.Context, c *command.Call) int { return b.run(e, c, a) }, err
	}
	if found, ok := e.shell.find(name); ok {
		return found.Prepare(programName(name), args[1:])
	}
	return nil, e.shell.unknown(name)
}

func (b builtin) parse(name string, args []string) (command.Arguments, error) {
	if b.raw {
		return command.Arguments{Name: name, All: args, Operands: args}, nil
	}
	return b.options.Parse(name, args)
}

// find returns a command of the table by its name or its path.
func (s *Shell) find(name string) (command.Command, bool) {
	c, ok := s.commands[programName(name)]
	return c, ok
}

// builtin returns a builtin by its name, or by its path if it is a program elsewhere.
func (s *Shell) builtin(name string) (builtin, bool) {
	b, ok := s.builtins[programName(name)]
	return b, ok && (b.program || !strings.HasPrefix(name, "/"))
}

// programName returns the name of a program from its name or its path.
func programName(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "/usr"), "/bin/")
}
