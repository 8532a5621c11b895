package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// A variable is a text. One that is not set can be exported or local. The zero value is none.
type variable struct {
	text            string
	isSet, exported bool
}

// size returns the number of bytes that v takes.
func (v variable) size() int { return 64 + len(v.text) }

// value returns the value of a parameter, and whether it is set.
func (e *environment) value(name string) (string, bool) {
	switch name {
	case "?":
		return strconv.Itoa(e.status), true
	case "#":
		return strconv.Itoa(len(e.parameters)), true
	case "0":
		return e.name, true
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n < 1 || n > len(e.parameters) {
			return "", false
		}
		return e.parameters[n-1], true
	}
	v := e.variables[name]
	return v.text, v.isSet
}

// put stores a variable, or removes one, and counts it.
func (e *environment) put(name string, v variable) {
	old, exists := e.variables[name]
	if v == (variable{}) {
		delete(e.variables, name)
	} else {
		e.account.Grab(v.size() + len(name))
		e.variables[name] = v
	}
	if exists {
		e.account.Drop(old.size() + len(name))
	}
}

// set sets a variable to a text.
func (e *environment) set(name, text string) {
	checkSetting(name, text)
	e.put(name, variable{text: text, isSet: true, exported: e.variables[name].exported})
}

// checkSetting refuses values with which the shell or its commands would do something else.
func checkSetting(name, text string) {
	switch name {
	case "LANG", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_NUMERIC":
		if locale := strings.ToLower(text); locale != "c.utf-8" && locale != "c.utf8" {
			command.Stop("%s=%s: the only locale here is C.UTF-8, which sorts as C", name, text)
		}
	case "TZ":
		command.Stop("TZ=%s: dates have the time zone of the server, or with date -u, UTC", text)
	case "UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO":
		command.Stop("%s is read-only", name)
	case "BLOCKSIZE", "BLOCK_SIZE", "DU_BLOCK_SIZE", "LS_BLOCK_SIZE", "QUOTING_STYLE", "TIME_STYLE",
		"CDPATH", "COLS", "EXECIGNORE", "GLOBIGNORE", "GREP_COLOR", "GREP_COLORS", "LS_COLORS",
		"POSIXLY_CORRECT", "RIPGREP_CONFIG_PATH", "TREE_CHARSET", "BASH_ENV", "BASH_COMPAT", "FUNCNEST",
		"_POSIX2_VERSION":
		command.Stop("%s: the setting is not available here; use options", name)
	}
}

// isPlainLocale reports whether LC_ALL=C or what is like it is assigned.
func isPlainLocale(a *syntax.Assign) bool {
	isLocale := a.Name.Value == "LANG" || strings.HasPrefix(a.Name.Value, "LC_")
	return isLocale && a.Value != nil && (a.Value.Lit() == "C" || a.Value.Lit() == "POSIX")
}

// isBytewise reports whether a program does the same in the locales C and C.UTF-8.
func isBytewise(program string) bool {
	switch program {
	case "cat", "comm", "cut", "head", "ls", "sort", "tail", "tr", "uniq":
		return true
	}
	return false
}

func (e *environment) export(name string) {
	v := e.variables[name]
	v.exported = true
	e.put(name, v)
}

// exportedValue returns the value of an exported variable.
func (e *environment) exportedValue(name string) (string, bool) {
	v := e.variables[name]
	return v.text, v.exported && v.isSet
}

// exported returns NAME=VALUE of all exported variables, sorted.
func (e *environment) exported() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(e.variables)) {
		if text, ok := e.exportedValue(name); ok {
			list = append(list, name+"="+text)
		}
	}
	return list
}

// assign sets a variable as NAME=VALUE does, or NAME+=VALUE.
func (e *environment) assign(a *syntax.Assign) {
	text := e.expand(a.Value, true).Value
	if a.Append {
		old, _ := e.value(a.Name.Value)
		e.account.Grab(len(old) + len(text)) // while both are there
		e.account.Drop(len(old) + len(text))
		text = old + text
	}
	e.set(a.Name.Value, text)
}

// declare is export and local.
func (e *environment) declare(c *syntax.DeclClause) {
	variant := c.Variant.Value
	if variant == "local" && len(e.locals) == 0 {
		e.errorf("local: can only be used in a function")
		e.status = 1
		return
	}
	for _, a := range c.Args {
		e.declareOne(variant, a)
	}
	e.status = 0 // whatever a substitution in a value has ended with
}

// declareOne declares one variable.
func (e *environment) declareOne(variant string, a *syntax.Assign) {
	if variant == "local" {
		if a.Naked {
			e.checkTemporary(variant, a.Name.Value)
		}
		e.makeLocal(a.Name.Value)
	} else {
		e.export(a.Name.Value)
	}
	if !a.Naked {
		e.assign(a)
	}
}

// unset unsets a variable. One that is local to a function which has called the one that runs is
// then what it was before.
func (e *environment) unset(name string) {
	last := len(e.locals) - 1
	for i := last; i >= 0; i-- {
		old, isLocal := e.locals[i][name]
		switch {
		case !isLocal:
		case i == last:
			e.put(name, variable{})
			return
		default:
			delete(e.locals[i], name)
			e.put(name, old)
			return
		}
	}
	e.put(name, variable{})
}

// checkTemporary refuses what bash does with the several values of a variable that a command has
// been given.
func (e *environment) checkTemporary(builtin, name string) {
	if slices.Contains(e.temporary, name) {
		command.Stop("%s %s in a command with %s=VALUE is not available here; assign it before",
			builtin, name, name)
	}
}

// makeLocal makes a variable local to the function that runs.
func (e *environment) makeLocal(name string) {
	frame := e.locals[len(e.locals)-1]
	if _, ok := frame[name]; ok {
		return
	}
	frame[name] = e.variables[name]
	e.put(name, variable{exported: frame[name].exported})
}
