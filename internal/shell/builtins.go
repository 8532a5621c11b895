package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// timedOut is the status of a command whose time was over.
const timedOut = 124

// builtins returns the builtins by their names.
func builtins() map[string]builtin {
	ends := func(status int) builtin {
		return builtin{raw: true, program: true, run: func(
			*environment, *command.Call, []command.Option, []string,
		) int {
			return status
		}}
	}
	test := builtin{raw: true, operands: "EXPRESSION", program: true, run: runTest, check: checkTest}
	shell := builtin{
		options: "-c, -e, -u, -l --login, --noprofile, --norc", ordered: true,
		operands: "COMMAND [NAME [ARGUMENT]...]", program: true, run: runShell, check: checkScript,
	}
	return map[string]builtin{
		":": {raw: true, run: ends(0).run}, "true": ends(0), "false": ends(1), "test": test, "[": test,
		"break": {raw: true, operands: "[N]", run: runBreak},
		"cd":    {operands: "[DIR]", run: runCd},
		"command": {
			options: "-v", ordered: true, operands: "NAME [ARGUMENT]...", run: runCommand,
			check: checkNested,
		},
		"continue": {raw: true, operands: "[N]", run: runContinue},
		"echo":     {raw: true, operands: "[-neE] [TEXT]...", program: true, run: runEcho},
		"env":      {program: true, run: runEnv, check: checkEnv},
		"exit":     {raw: true, operands: "[N]", run: runExit},
		"printf": {
			ordered: true, operands: "FORMAT [ARGUMENT]...", program: true, run: runPrintf,
			check: checkPrintf,
		},
		"pwd":    {program: true, run: runPwd},
		"read":   {options: "-r, -d=", operands: "NAME...", run: runRead},
		"return": {raw: true, operands: "[N]", run: runReturn},
		"set": {
			raw: true, operands: "[-eu] [-o pipefail] [-- [ARGUMENT]...]", run: runSet, check: checkSet,
		},
		"shift": {raw: true, operands: "[N]", run: runShift},
		"timeout": {
			ordered: true, operands: "SECONDS COMMAND...", program: true, run: runTimeout,
			check: checkTimeout,
		},
		"type":  {options: "-t", operands: "NAME...", run: runType},
		"unset": {options: "-v", operands: "NAME...", run: runUnset},
		"which": {operands: "NAME...", program: true, run: runWhich},
		"bash":  shell, "sh": shell, "zsh": shell,
	}
}

func runCd(e *environment, c *command.Call, _ []command.Option, operands []string) int {
	dir, _ := e.value("HOME")
	if len(operands) > 1 {
		c.Fatalf(1, "too many arguments")
	}
	if len(operands) == 1 {
		dir = operands[0]
	}
	isBack := dir == "-"
	if isBack {
		dir, _ = e.value("OLDPWD")
		if dir == "" {
			c.Fatalf(1, "OLDPWD not set")
		}
	}
	if dir == "" {
		return 0
	}
	target := path.Clean(e.files.Absolute(dir)) // ".." is lexical, as in bash
	err := e.checkParents(dir)
	if err == nil {
		err = e.checkDir(target)
	}
	if err != nil {
		e.errorf("cd: %s: %s", dir, command.Message(err))
		return 1
	}
	old := e.files.Dir
	e.files.Dir = target
	if isBack {
		c.Out.Line([]byte(target))
	}
	e.set("OLDPWD", old)
	e.set("PWD", target)
	return 0
}

func (e *environment) checkDir(p string) error {
	location, err := e.files.Find(e.ctx, p)
	if err != nil {
		return err
	}
	return location.CheckDir()
}

// checkParents checks that the directories exist that a path leaves by "..".
func (e *environment) checkParents(dir string) error {
	for at, rest := 0, dir; ; {
		before, after, ok := strings.Cut(rest, "/..")
		if !ok {
			return nil
		}
		at += len(before)
		if err := e.checkDir(path.Clean(e.files.Absolute(dir[:at]))); err != nil {
			return err
		}
		at += len("/..")
		rest = after
	}
}

func runPwd(e *environment, c *command.Call, _ []command.Option, _ []string) int {
	c.Out.Line([]byte(e.files.Dir))
	return 0
}

// statusArgument returns the status that exit and return are given.
func statusArgument(e *environment, args []string) int {
	if len(args) == 0 {
		return e.status
	}
	n, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		e.errorf("exit: %s: numeric argument required", args[0])
		return 2
	}
	return int(n & 255)
}

func runExit(e *environment, _ *command.Call, _ []command.Option, args []string) int {
	e.leaving.environment = true
	return statusArgument(e, args)
}

func runReturn(e *environment, c *command.Call, _ []command.Option, args []string) int {
	if len(e.locals) == 0 {
		c.Fatalf(2, "can only `return' from a function")
	}
	e.leaving.function = true
	return statusArgument(e, args)
}

func runBreak(e *environment, c *command.Call, _ []command.Option, args []string) int {
	e.leaving.loops = loopsArgument(e, c, args)
	return 0
}

func runContinue(e *environment, c *command.Call, _ []command.Option, args []string) int {
	e.leaving.loops = loopsArgument(e, c, args)
	e.leaving.continues = e.leaving.loops > 0
	return 0
}

// loopsArgument returns how many loops break and continue leave.
func loopsArgument(e *environment, c *command.Call, args []string) int {
	return min(countArgument(c, args, 1), e.loops)
}

// countArgument returns the number that break, continue and shift are given, which is 1 if missing.
func countArgument(c *command.Call, args []string, least int) int {
	if len(args) == 0 {
		return 1
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < least {
		c.Fatalf(1, "%s: invalid count", args[0])
	}
	return n
}

func runShift(e *environment, c *command.Call, _ []command.Option, args []string) int {
	n := countArgument(c, args, 0)
	if n > len(e.parameters) {
		return 1
	}
	e.parameters = e.parameters[n:]
	return 0
}

func runUnset(e *environment, _ *command.Call, _ []command.Option, names []string) int {
	for _, name := range names {
		if !syntax.ValidName(name) || e.functions[name].body != nil {
			refuse("unset %s: only variables can be unset here", name)
		}
		e.remove(name)
	}
	return 0
}

// runScript checks a script and runs it.
func (e *environment) runScript(text string) {
	file, err := parse(text)
	if err == nil {
		err = e.check(file)
	}
	if err != nil {
		panic(command.Abort{Err: err})
	}
	e.enter()
	defer e.ascend()
	e.status = 0
	e.runFile(file)
}

// readScript returns the text of a file with a script.
func (e *environment) readScript(account *command.Account, name string) (string, error) {
	in, err := e.files.Open(e.ctx, name)
	if err != nil {
		return "", fmt.Errorf("%s: %s", name, command.Message(err))
	}
	defer in.Close()
	account.Grab(maxScript + 1)
	text, err := io.ReadAll(io.LimitReader(in, maxScript+1))
	if err != nil {
		return "", fmt.Errorf("%s: %s", name, command.Message(err))
	}
	if len(text) > maxScript {
		return "", fmt.Errorf("%s: a script can have at most %d bytes", name, maxScript)
	}
	return string(text), nil
}

// runShell runs a script in a shell of its own.
func runShell(e *environment, c *command.Call, options []command.Option, operands []string) int {
	isCommand := false
	s := e.sub(e.ctx)
	s.isDash = c.Name == "sh"
	defer s.release()
	s.options, s.functions, s.locals = shellOptions{}, map[string]function{}, nil
	s.conditions, s.in = 0, c.In
	s.out = c.Out.Target()
	c.Out.Flush()
	for _, o := range options {
		switch o.Name {
		case "-c":
			isCommand = true
		case "-e", "-u":
			*s.options.named(o.Name[1:]) = true
		}
	}
	if len(operands) == 0 {
		refuse("%s: it needs -c COMMAND, or a file with a script", c.Name)
	}
	for name, v := range s.variables {
		if !v.exported {
			s.remove(name)
		}
	}
	s.set("IFS", whiteSpace)
	text := operands[0]
	if !isCommand {
		var err error
		if text, err = e.readScript(c.Account, text); err != nil {
			c.Fatalf(127, "%v", err)
		}
	}
	s.name, s.parameters = c.Name, nil
	switch {
	case !isCommand:
		s.name, s.parameters = operands[0], operands[1:]
	case len(operands) > 1:
		s.name, s.parameters = operands[1], operands[2:]
	}
	s.runScript(text)
	return s.status
}

func runType(e *environment, c *command.Call, options []command.Option, names []string) int {
	onlyKind := len(options) > 0
	status := 0
	for _, name := range names {
		kind := e.kindOf(name)
		switch {
		case kind == "" && !onlyKind:
			e.errorf("type: %s: not found", name)
		case onlyKind && kind != "":
			c.Out.Line([]byte(kind))
		case kind == "function":
			refuse("type %s: the text of a function is not available here", name)
		case kind == "file":
			c.Out.Line([]byte(name + " is " + programPath(name)))
		case kind != "":
			c.Out.Line([]byte(name + " is a shell " + kind))
		}
		if kind == "" {
			status = 1
		}
	}
	return status
}

// kindOf returns what runs if a name is the first word, as type -t says it, or "".
func (e *environment) kindOf(name string) string {
	_, isBuiltin := e.shell.builtins[name]
	isFile := e.shell.hasProgram(name) && !isAlsoBuiltin(name)
	switch {
	case e.functions[name].body != nil:
		return "function"
	case syntax.IsKeyword(name):
		return "keyword"
	case isFile:
		return "file"
	case isBuiltin, name == "export", name == "local":
		return "builtin"
	}
	return ""
}

// hasProgram reports whether a command is a program elsewhere.
func (s *Shell) hasProgram(name string) bool {
	_, isCommand := s.find(name)
	b, isBuiltin := s.builtin(name)
	return isCommand || isBuiltin && b.program
}

// isAlsoBuiltin reports whether what is a program elsewhere is a builtin of bash, too.
func isAlsoBuiltin(name string) bool {
	switch name {
	case "true", "false", "test", "[", "echo", "printf", "pwd":
		return true
	}
	return false
}

func programPath(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return "/usr/bin/" + name
}

func runCommand(e *environment, c *command.Call, options []command.Option, args []string) int {
	if len(args) == 0 {
		return 0
	}
	if len(options) == 0 {
		c.Out.Flush()
		return e.command(args, c.In, c.Out)
	}
	status := 1
	for _, name := range args {
		kind := e.kindOf(name)
		switch kind {
		case "":
			continue
		case "file":
			c.Out.Line([]byte(programPath(name)))
		default:
			c.Out.Line([]byte(name))
		}
		status = 0
	}
	return status
}

func runWhich(e *environment, c *command.Call, _ []command.Option, names []string) int {
	status := 0
	for _, name := range names {
		if e.shell.hasProgram(name) {
			c.Out.Line([]byte(programPath(name)))
		} else {
			status = 1
		}
	}
	return status
}

func runEnv(e *environment, c *command.Call, _ []command.Option, operands []string) int {
	if len(operands) > 0 {
		refuse("%s", onlyEnv)
	}
	for _, line := range e.exported() {
		c.Out.Line([]byte(line))
	}
	return 0
}

// runTimeout runs a command for at most a duration.
func runTimeout(e *environment, c *command.Call, _ []command.Option, operands []string) int {
	if len(operands) < 2 {
		c.Fatalf(125, "missing operand")
	}
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(operands[0], "s"), 64)
	if err != nil || seconds < 0 {
		refuse("timeout %s: only a number of seconds is available here", operands[0])
	}
	const longest = 1e6
	duration := time.Duration(min(seconds, longest) * float64(time.Second))
	ctx := e.ctx
	if duration > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, duration, errTimeout)
		defer cancel()
		ctx = limited
	}
	s := e.sub(ctx)
	defer s.release()
	status := 0
	c.Out.Flush()
	err = guard(func() { status = s.program(operands[1:], c.In, nil) })
	switch {
	case errors.Is(err, errTimeout) && e.ctx.Err() == nil:
		return timedOut
	case err != nil:
		panic(command.Abort{Err: err})
	}
	return status
}

// errTimeout is why a command ends whose time is over.
var errTimeout = errors.New("timeout: the time is over")

// time runs a command and writes how long it took.
func (e *environment) time(c *syntax.TimeClause) {
	start := time.Now()
	if c.Stmt != nil {
		e.statement(c.Stmt)
	}
	fmt.Fprintf(e.err, "\nreal\t%s\nuser\t0m0.000s\nsys\t0m0.000s\n", minutes(time.Since(start)))
}

// minutes returns a duration as time writes it.
func minutes(d time.Duration) string {
	seconds := (d % time.Minute).Truncate(time.Millisecond).Seconds()
	return fmt.Sprintf("%dm%.3fs", d/time.Minute, seconds)
}
