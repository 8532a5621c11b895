package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

func runType(e *environment, c *command.Call, a command.Arguments) int {
	onlyKind := a.Has("-t")
	status := 0
	for _, name := range a.Operands {
		kind := e.kindOf(name)
		text := name + " is a shell " + kind
		switch {
		case kind == "":
			if !onlyKind {
				e.errorf("type: %s: not found", name)
			}
			status = 1
			continue
		case onlyKind:
			text = kind
		case kind == "function":
			command.Stop("type %s: the text of a function is not available here", name)
		case kind == "file":
			text = name + " is " + e.programPath(name)
		}
		c.Out.Line([]byte(text))
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
	case isBuiltin, isOtherBuiltin(name):
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

// isOtherBuiltin reports whether a builtin of bash is none here, or part of the language.
func isOtherBuiltin(name string) bool {
	switch name {
	case "alias", "bg", "bind", "builtin", "caller", "compgen", "complete", "compopt", "declare",
		"dirs", "disown", "enable", "exec", "export", "fc", "fg", "getopts", "hash", "help", "history",
		"jobs", "kill", "let", "local", "logout", "mapfile", "popd", "pushd", "readarray", "readonly",
		"shopt", "suspend", "times", "trap", "typeset", "ulimit", "umask", "unalias", "wait":
		return true
	}
	return false
}

// programPath returns the path of a program.
func (e *environment) programPath(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	if dirs, _ := e.value("PATH"); dirs != searchPath {
		command.Stop("%s: PATH is not searched here", name)
	}
	return "/usr/bin/" + name
}

func runCommand(e *environment, c *command.Call, a command.Arguments) int {
	if len(a.Operands) == 0 {
		return 0
	}
	if !a.Has("-v") {
		c.Out.Flush()
		return e.command(a.Operands, c.In, c.Out, e.titleOf(a.Operands[0]))
	}
	status := 1
	for _, name := range a.Operands {
		switch e.kindOf(name) {
		case "":
			continue
		case "file":
			name = e.programPath(name)
		}
		c.Out.Line([]byte(name))
		status = 0
	}
	return status
}

func runWhich(e *environment, c *command.Call, a command.Arguments) int {
	status := 0
	for _, name := range a.Operands {
		if e.shell.hasProgram(name) {
			c.Out.Line([]byte(e.programPath(name)))
		} else {
			status = 1
		}
	}
	return status
}
