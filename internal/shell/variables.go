package shell

import (
	"maps"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
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
	e.put(name, variable{text: text, isSet: true, exported: e.variables[name].exported})
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
	command := c.Variant.Value
	e.status = 0
	if command == "local" && len(e.locals) == 0 {
		e.errorf("local: can only be used in a function")
		e.status = 1
		return
	}
	for _, a := range c.Args {
		e.declareOne(command, a)
	}
}

// declareOne declares one variable.
func (e *environment) declareOne(command string, a *syntax.Assign) {
	if command == "local" {
		e.makeLocal(a.Name.Value)
	} else {
		e.export(a.Name.Value)
	}
	if !a.Naked {
		e.assign(a)
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
