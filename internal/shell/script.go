package shell

import (
	"errors"
	"io"
	"io/fs"
	"strings"

	"gander/internal/shell/command"
)

// runScript checks a script and runs it.
func (e *environment) runScript(text string) {
	file, err := parse(text)
	if err == nil {
		err = e.check(file)
	}
	if err != nil {
		panic(command.Abort{Err: err})
	}
	defer e.enter().ascend()
	outer := e.tree
	defer func() { e.tree = outer }()
	e.tree = treeOf(text)
	size := e.tree.size
	e.account.Grab(size)
	defer e.account.Drop(size)
	if len(file.Stmts) == 0 {
		e.status = 0
	}
	e.runFile(file)
}

// readScript returns the text of a file with a script.
func (e *environment) readScript(account *command.Account, name string) (string, error) {
	in, err := e.files.Open(e.ctx, name)
	if err != nil {
		return "", fileError{name, err}
	}
	defer in.Close()
	account.Grab(maxScript + 1)
	text, err := io.ReadAll(io.LimitReader(in, maxScript+1))
	if err != nil {
		return "", fileError{name, err}
	}
	if len(text) > maxScript {
		return "", command.Refuse("%s: a script can have at most %d bytes here", name, maxScript)
	}
	return string(text), nil
}

// A fileError is an error of a file in the words of bash.
type fileError struct {
	name string
	err  error
}

func (e fileError) Error() string { return e.name + ": " + command.Message(e.err) }

func (e fileError) Unwrap() error { return e.err }

// runShell runs a script in a shell of its own.
func runShell(e *environment, c *command.Call, a command.Arguments) int {
	isCommand := a.Has("-c")
	s := e.sub(e.ctx)
	s.isDash, s.isSubshell = c.Name == "sh", false
	defer s.release()
	s.options = shellOptions{errexit: a.Has("-e"), nounset: a.Has("-u")}
	s.functions, s.locals, s.temporary = map[string]function{}, nil, nil
	s.status, s.negations, s.conditions, s.sourced, s.in = 0, 0, 0, 0, c.In
	s.out = c.Out.Target()
	c.Out.Flush()
	if len(a.Operands) == 0 || strings.HasPrefix(a.Operands[0], "+") {
		command.Stop("%s: it needs -c COMMAND, or a file with a script", c.Name)
	}
	for name, v := range s.variables {
		if !v.exported {
			s.put(name, variable{})
		}
	}
	s.set("IFS", whiteSpace)
	text, rest := a.Operands[0], a.Operands[1:]
	s.name, s.parameters = c.Name, nil
	if isCommand && len(rest) > 0 {
		s.name, s.parameters = rest[0], rest[1:]
	}
	if !isCommand {
		s.name, s.parameters = text, rest
		var err error
		if text, err = e.readScript(c.Account, text); err != nil {
			stopIfRefused(err)
			if s.isDash || !errors.Is(err, fs.ErrNotExist) {
				command.Stop("%s %v; name a script that can be read", c.Name, err)
			}
			c.Fatalf(127, "%v", err)
		}
	}
	s.runScript(text)
	return s.status
}

// stopIfRefused ends the script if an error is a refusal.
func stopIfRefused(err error) {
	if errors.As(err, &command.Refusal{}) {
		panic(command.Abort{Err: err})
	}
}

// runEval runs its arguments as a script in the same environment.
func runEval(e *environment, c *command.Call, a command.Arguments) int {
	text := strings.Join(a.Operands, " ")
	c.Account.Grab(len(text))
	if strings.TrimSpace(text) == "" {
		return 0
	}
	e.runScript(text)
	return e.status
}

// runSource runs the script in a file in the same environment.
func runSource(e *environment, c *command.Call, a command.Arguments) int {
	if len(a.Operands) == 0 {
		c.Fatalf(2, "filename argument required")
	}
	name := a.Operands[0]
	if path, _ := e.value("PATH"); path != searchPath && !strings.Contains(name, "/") {
		command.Stop("source %s: PATH is not searched here; write ./%s", name, name)
	}
	text, err := e.readScript(c.Account, name)
	if err != nil {
		stopIfRefused(err)
		e.errorf("%v", err)
		return 1
	}
	parameters, hasSet := e.parameters, e.hasSet
	if len(a.Operands) > 1 {
		e.parameters, e.hasSet = a.Operands[1:], false
	}
	e.sourced++
	e.runScript(text)
	e.sourced--
	e.leaving.function = false
	if keeps := e.hasSet && len(e.locals) == 0; len(a.Operands) > 1 && !keeps {
		e.parameters = parameters
	}
	e.hasSet = hasSet
	return e.status
}
