package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// builtins returns the builtins by their names.
func builtins() map[string]builtin {
	ends := func(status int) builtin {
		run := func(*environment, *command.Call, command.Arguments) int { return status }
		return builtin{raw: true, program: true, run: run}
	}
	test := builtin{raw: true, operands: "EXPRESSION", program: true, run: runTest, check: checkTest}
	shell := builtin{
		options:  "+-c, -e, -u, -l --login, --noprofile, --norc",
		operands: "COMMAND [NAME [ARGUMENT]...]", program: true, run: runShell, check: checkScript,
	}
	source := builtin{options: "+", operands: "FILE [ARGUMENT]...", run: runSource}
	return map[string]builtin{
		".": source, "source": source,
		":": {raw: true, run: ends(0).run}, "true": ends(0), "false": ends(1), "test": test, "[": test,
		"break": {raw: true, operands: "[N]", run: runLoops(false)},
		"cd":    {operands: "[DIR]", run: runCd},
		"command": {
			options: "+-v", operands: "NAME [ARGUMENT]...", run: runCommand, check: checkNested,
		},
		"continue": {raw: true, operands: "[N]", run: runLoops(true)},
		"echo":     {raw: true, operands: "[-neE] [TEXT]...", program: true, run: runEcho},
		"env":      {program: true, run: runEnv, check: checkEnv},
		"eval":     {options: "+", operands: "[TEXT]...", run: runEval, check: checkEval},
		"exit":     {raw: true, operands: "[N]", run: runExit},
		"printf": {
			options: "+", operands: "FORMAT [ARGUMENT]...", program: true, run: runPrintf,
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
			options: "+", operands: "SECONDS COMMAND...", program: true, run: runTimeout,
			check: checkTimeout,
		},
		"type":  {options: "-t", operands: "NAME...", run: runType},
		"unset": {options: "-v", operands: "NAME...", run: runUnset},
		"which": {operands: "NAME...", program: true, run: runWhich},
		"bash":  shell, "sh": shell, "zsh": shell,
	}
}

func runCd(e *environment, c *command.Call, a command.Arguments) int {
	dir, isSet := e.value("HOME")
	if len(a.Operands) > 1 {
		c.Fatalf(1, "too many arguments")
	}
	if len(a.Operands) == 0 && !isSet {
		c.Fatalf(1, "HOME not set")
	}
	if len(a.Operands) == 1 {
		dir = a.Operands[0]
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
		e.errorf("cd: %v", fileError{dir, err})
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
	for at := range dir {
		if !strings.HasPrefix(dir[at:], "/..") {
			continue
		}
		if err := e.checkDir(path.Clean(e.files.Absolute(dir[:at]))); err != nil {
			return err
		}
	}
	return nil
}

func runPwd(e *environment, c *command.Call, _ command.Arguments) int {
	c.Out.Line([]byte(e.files.Dir))
	return 0
}

// statusArgument returns the status that exit and return are given.
func statusArgument(e *environment, args []string) int {
	if len(args) == 0 {
		return e.status
	}
	checkOnlyArgument(args)
	n, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		e.errorf("exit: %s: numeric argument required", args[0])
		return 2
	}
	return int(n & 255)
}

func runExit(e *environment, _ *command.Call, a command.Arguments) int {
	e.leaving.environment = true
	return statusArgument(e, a.Operands)
}

func runReturn(e *environment, c *command.Call, a command.Arguments) int {
	if len(e.locals) == 0 && e.sourced == 0 {
		c.Fatalf(2, "can only `return' from a function or sourced script")
	}
	e.leaving.function = true
	return statusArgument(e, a.Operands)
}

// runLoops returns what runs break, or continue: both leave loops.
func runLoops(continues bool) func(*environment, *command.Call, command.Arguments) int {
	return func(e *environment, _ *command.Call, a command.Arguments) int {
		e.leaving.loops = min(countArgument(a.Operands, 1), e.loops)
		e.leaving.continues = continues && e.leaving.loops > 0
		return 0
	}
}

// countArgument returns the number that break, continue and shift are given, which is 1 if missing.
func countArgument(args []string, least int) int {
	if len(args) == 0 {
		return 1
	}
	checkOnlyArgument(args)
	n, err := strconv.Atoi(args[0])
	if err != nil || n < least {
		command.Stop("%s: a count is a number from %d on here", args[0], least)
	}
	return n
}

// checkOnlyArgument refuses what is more than a number. What bash then leaves depends.
func checkOnlyArgument(args []string) {
	if len(args) > 1 || strings.HasPrefix(args[0], "--") {
		command.Stop("%s: exit, return, shift, break and continue have only a number here",
			strings.Join(args, " "))
	}
}

func runShift(e *environment, _ *command.Call, a command.Arguments) int {
	n := countArgument(a.Operands, 0)
	if n > len(e.parameters) {
		if e.isDash {
			command.Stop("shift %d: it ends sh, as there are fewer arguments; write bash", n)
		}
		return 1
	}
	e.parameters = e.parameters[n:]
	return 0
}

func runUnset(e *environment, _ *command.Call, a command.Arguments) int {
	for _, name := range a.Operands {
		if !syntax.ValidName(name) || e.functions[name].body != nil {
			command.Stop("unset %s: only variables can be unset here", name)
		}
		if _, isSet := e.value(name); isSet || isAbsent(name) {
			checkSetting(name, "")
		}
		e.checkTemporary("unset", name)
		e.unset(name)
	}
	return 0
}

func runEnv(e *environment, c *command.Call, a command.Arguments) int {
	if len(a.Operands) > 0 {
		command.Stop("%s", onlyEnv)
	}
	for _, line := range e.exported() {
		c.Out.Line([]byte(line))
	}
	return 0
}
