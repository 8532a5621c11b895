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
		options: "-c, -e, -u, -l --login, -i, --noprofile, --norc, -o=", ordered: true,
		operands: "COMMAND [NAME [ARGUMENT]...]", program: true, run: runShell, check: checkScript,
	}
	mapfile := builtin{options: "-t, -d=, -n=", operands: "[ARRAY]", run: runMapfile}
	source := builtin{raw: true, operands: "FILE [ARGUMENT]...", run: runSource}
	return map[string]builtin{
		":": ends(0), "true": ends(0), "false": ends(1), "test": test, "[": test,
		"break":   {raw: true, operands: "[N]", run: runBreak},
		"builtin": {ordered: true, operands: "NAME [ARGUMENT]...", run: runCommand, check: checkNested},
		"cd":      {options: "-L, -P", operands: "[DIR]", run: runCd},
		"command": {
			options: "-v, -V", ordered: true, operands: "NAME [ARGUMENT]...", run: runCommand,
			check: checkNested,
		},
		"continue": {raw: true, operands: "[N]", run: runContinue},
		"echo":     {raw: true, operands: "[-neE] [TEXT]...", program: true, run: runEcho},
		"env": {
			options: "-i, -u=", ordered: true, operands: "[NAME=VALUE]... [COMMAND]", program: true,
			run: runEnv, check: checkEnv,
		},
		"eval":    {raw: true, operands: "[ARGUMENT]...", run: runEval, check: checkEval},
		"exit":    {raw: true, operands: "[N]", run: runExit},
		"mapfile": mapfile, "readarray": mapfile,
		"printf": {
			options: "-v=", ordered: true, operands: "FORMAT [ARGUMENT]...", program: true, run: runPrintf,
			check: checkPrintf,
		},
		"pwd":    {options: "-L, -P", program: true, run: runPwd},
		"read":   {options: "-r, -s, -a=, -d=, -n=, -N=, -p=", operands: "[NAME]...", run: runRead},
		"return": {raw: true, operands: "[N]", run: runReturn},
		"set": {
			raw: true, operands: "[-efuC] [-o OPTION] [--] [ARGUMENT]...", run: runSet, check: checkSet,
		},
		"shift":  {raw: true, operands: "[N]", run: runShift},
		"shopt":  {options: "-s, -u, -q", operands: "OPTION...", run: runShopt, check: checkShopt},
		"source": source, ".": source,
		"timeout": {
			options: "-k=, -s=, --preserve-status", ordered: true, operands: "DURATION COMMAND...",
			program: true, run: runTimeout, check: checkTimeout,
		},
		"type":  {options: "-t, -a", operands: "NAME...", run: runType},
		"unset": {options: "-v, -f", operands: "NAME...", run: runUnset},
		"which": {options: "-a", operands: "NAME...", program: true, run: runWhich},
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
	if err := errors.Join(e.set("OLDPWD", old), e.set("PWD", target)); err != nil {
		e.errorf("cd: %v", err)
	}
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

func runPwd(e *environment, c *command.Call, options []command.Option, _ []string) int {
	dir := e.files.Dir
	if len(options) > 0 && options[len(options)-1].Name == "-P" {
		location, err := e.files.Find(e.ctx, dir)
		if err == nil {
			location, err = location.Resolve()
		}
		if err != nil {
			c.Fatalf(1, "%s", command.Message(err))
		}
		dir = location.Absolute()
	}
	c.Out.Line([]byte(dir))
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
	if len(e.locals) == 0 && e.sourced == 0 {
		c.Fatalf(2, "can only `return' from a function or sourced script")
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
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil || n < 1 {
			c.Fatalf(1, "%s: loop count out of range", args[0])
		}
	}
	return min(n, e.loops)
}

func runShift(e *environment, c *command.Call, _ []command.Option, args []string) int {
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil {
			c.Fatalf(1, "%s: numeric argument required", args[0])
		}
	}
	if n < 0 || n > len(e.parameters) {
		return 1
	}
	e.parameters = e.parameters[n:]
	return 0
}

func runUnset(e *environment, c *command.Call, options []command.Option, names []string) int {
	onlyFunctions := len(options) > 0 && options[0].Name == "-f"
	for _, name := range names {
		base, index, _ := strings.Cut(name, "[")
		switch {
		case index != "":
			refuse("unset %s: arrays with gaps are not available here", name)
		case e.variable(base).readOnly:
			c.Fatalf(1, "%s: cannot unset: readonly variable", name)
		case !onlyFunctions:
			e.restore(name, nil)
		}
		if onlyFunctions {
			delete(e.functions, name)
		}
	}
	return 0
}

// runEval runs its arguments as a script.
func runEval(e *environment, _ *command.Call, _ []command.Option, args []string) int {
	return e.evaluateScript(strings.Join(args, " "))
}

// evaluateScript checks a script and runs it in this environment.
func (e *environment) evaluateScript(text string) int {
	file, err := parse(text)
	if err == nil {
		err = e.check(file)
	}
	if err != nil {
		panic(command.Abort{Err: err})
	}
	e.enter()
	defer e.leave()
	e.status = 0
	line := e.line
	e.statements(file.Stmts)
	e.line = line
	return e.status
}

func runSource(e *environment, c *command.Call, _ []command.Option, args []string) int {
	if len(args) == 0 {
		c.Fatalf(2, "filename argument required")
	}
	text, err := e.readScript(c.Account, args[0])
	if err != nil {
		c.Fatalf(1, "%v", err)
	}
	if len(args) > 1 {
		parameters := e.parameters
		e.parameters = args[1:]
		defer func() { e.parameters = parameters }()
	}
	e.sourced++
	defer func() {
		e.sourced--
		e.leaving.function = false
	}()
	return e.evaluateScript(text)
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
	s := e.sub()
	s.isDash = c.Name == "sh"
	defer s.release()
	s.options, s.functions, s.locals = shellOptions{}, map[string]*function{}, nil
	s.sourced, s.conditions, s.in = 0, 0, c.In
	s.out = c.Out.Target()
	c.Out.Flush()
	for _, o := range options {
		switch o.Name {
		case "-c":
			isCommand = true
		case "-e", "-u", "-x":
			s.options.set(o.Name[1:], true)
		case "-o":
			s.options.set(o.Value, true)
		}
	}
	if len(operands) == 0 {
		refuse("%s: it needs -c COMMAND, or a file with a script", c.Name)
	}
	for name, v := range s.variables {
		if !v.exported && name != "IFS" && name != "OPTIND" {
			s.restore(name, nil)
		}
	}
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
	s.contain(func() { s.evaluateScript(text) })
	return s.status
}

func runType(e *environment, c *command.Call, options []command.Option, names []string) int {
	onlyKind := len(options) > 0 && options[0].Name == "-t"
	status := 0
	for _, name := range names {
		kind := e.kindOf(name)
		switch {
		case kind == "":
			status = 1
			if !onlyKind {
				e.errorf("type: %s: not found", name)
			}
		case onlyKind:
			c.Out.Line([]byte(kind))
		default:
			c.Out.WriteString(e.describe(name, kind))
		}
	}
	return status
}

// kindOf returns what runs if a name is the first word, as type -t says it, or "".
func (e *environment) kindOf(name string) string {
	_, isBuiltin := e.shell.builtins[name]
	_, isCommand := e.shell.find(name)
	switch {
	case e.functions[name] != nil:
		return "function"
	case syntax.IsKeyword(name):
		return "keyword"
	case isShell(name), isBuiltin && isOnlyProgram(name), !isBuiltin && isCommand:
		return "file"
	case isBuiltin || isDeclaration(name):
		return "builtin"
	}
	return ""
}

// isDeclaration reports whether the parser itself knows a builtin.
func isDeclaration(name string) bool {
	switch name {
	case "declare", "export", "let", "local", "readonly", "typeset":
		return true
	}
	return false
}

func isShell(name string) bool { return name == "bash" || name == "sh" || name == "zsh" }

// isOnlyProgram reports whether one of the builtins is no builtin of bash.
func isOnlyProgram(name string) bool {
	return name == "which" || name == "env" || name == "timeout"
}

// describe says what a name is, as type does.
func (e *environment) describe(name, kind string) string {
	switch kind {
	case "builtin":
		return name + " is a shell builtin\n"
	case "keyword":
		return name + " is a shell keyword\n"
	case "function":
		refuse("type %s: the text of a function is not available here", name)
	}
	return name + " is " + programPath(name) + "\n"
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
		switch {
		case kind == "":
			continue
		case options[0].Name == "-V":
			c.Out.WriteString(e.describe(name, kind))
		case kind == "file":
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
		b, isBuiltin := e.shell.builtins[name]
		_, isCommand := e.shell.find(name)
		if isCommand || isBuiltin && b.program {
			c.Out.Line([]byte(programPath(name)))
		} else {
			status = 1
		}
	}
	return status
}

func runEnv(e *environment, c *command.Call, options []command.Option, operands []string) int {
	s := e.sub()
	defer s.release()
	for _, o := range options {
		if o.Name == "-u" {
			s.restore(o.Value, nil)
			continue
		}
		for name, v := range s.variables {
			if v.exported {
				s.restore(name, nil)
			}
		}
	}
	for len(operands) > 0 && strings.Contains(operands[0], "=") {
		name, value, _ := strings.Cut(operands[0], "=")
		s.put(name, variable{text: value, exported: true})
		operands = operands[1:]
	}
	if len(operands) > 0 {
		return s.program(e.ctx, operands, c.In, c.Out)
	}
	for _, line := range s.exported() {
		c.Out.Line([]byte(line))
	}
	return 0
}

// runTimeout runs a command for at most a duration.
func runTimeout(e *environment, c *command.Call, _ []command.Option, operands []string) int {
	if len(operands) < 2 {
		c.Fatalf(125, "missing operand")
	}
	duration, ok := parseDuration(operands[0])
	if !ok {
		c.Fatalf(125, "invalid time interval '%s'", operands[0])
	}
	s := e.sub()
	defer s.release()
	if duration > 0 {
		ctx, cancel := context.WithTimeoutCause(e.ctx, duration, errTimeout)
		defer cancel()
		s.ctx = ctx
	}
	status := 0
	c.Out.Flush()
	err := guard(func() { status = s.program(s.ctx, operands[1:], c.In, nil) })
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

// parseDuration parses a number of seconds, or one with a unit.
func parseDuration(s string) (time.Duration, bool) {
	unit := time.Second
	if n := len(s) - 1; n > 0 {
		switch s[n] {
		case 's':
			s = s[:n]
		case 'm':
			s, unit = s[:n], time.Minute
		case 'h':
			s, unit = s[:n], time.Hour
		case 'd':
			s, unit = s[:n], 24*time.Hour
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 {
		return 0, false
	}
	const longest = 1e9
	seconds := min(n*unit.Seconds(), longest)
	return time.Duration(seconds * float64(time.Second)), true
}

// time runs a command and writes how long it took.
func (e *environment) time(c *syntax.TimeClause) {
	start := time.Now()
	if c.Stmt != nil {
		e.statement(c.Stmt)
	}
	seconds := time.Since(start).Seconds()
	fmt.Fprintf(e.err, "\nreal\t0m%.3fs\nuser\t0m0.000s\nsys\t0m0.000s\n", seconds)
}
