package shell

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// A variable is a text, or an indexed array without gaps. Its elements are never changed in place,
// because subshells share them.
type variable struct {
	text                          string
	elements                      []string
	unset, isArray                bool
	exported, readOnly, isInteger bool
}

// size returns the number of bytes that v takes.
func (v variable) size() int {
	n := 64 + len(v.text)
	for _, s := range v.elements {
		n += 16 + len(s)
	}
	return n
}

// list returns the values of v.
func (v variable) list() []string {
	switch {
	case v.isArray:
		return v.elements
	case v.unset:
		return nil
	}
	return []string{v.text}
}

// variable returns the variable with a name, which can be unset.
func (e *environment) variable(name string) variable {
	if name == "PIPESTATUS" {
		v := variable{isArray: true}
		for _, status := range e.statuses {
			v.elements = append(v.elements, strconv.Itoa(status))
		}
		return v
	}
	v, ok := e.variables[name]
	if !ok {
		return variable{unset: true}
	}
	return v
}

// value returns the value of a parameter, and whether it is set.
func (e *environment) value(name string) (string, bool) {
	switch name {
	case "?":
		return strconv.Itoa(e.status), true
	case "#":
		return strconv.Itoa(len(e.parameters)), true
	case "0":
		return e.name, true
	case "-":
		return e.options.letters(), true
	case "LINENO":
		return strconv.Itoa(int(e.line)), true
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n < 1 || n > len(e.parameters) {
			return "", false
		}
		return e.parameters[n-1], true
	}
	list := e.variable(name).list()
	if len(list) == 0 {
		return "", false
	}
	return list[0], true
}

// element returns an element of an array, and whether it is set.
func (e *environment) element(name string, index int64) (string, bool) {
	list := e.variable(name).list()
	if index < 0 {
		index += int64(len(list))
	}
	if index < 0 || index >= int64(len(list)) {
		return "", false
	}
	return list[index], true
}

// put stores a variable and counts it.
func (e *environment) put(name string, v variable) {
	e.account.Grab(v.size() + len(name))
	if old, ok := e.variables[name]; ok {
		e.account.Drop(old.size() + len(name))
	}
	e.variables[name] = v
}

// restore sets a variable to what it was, which is nil if it did not exist.
func (e *environment) restore(name string, old *variable) {
	if old != nil {
		e.put(name, *old)
		return
	}
	if v, ok := e.variables[name]; ok {
		e.account.Drop(v.size() + len(name))
		delete(e.variables, name)
	}
}

// set sets a variable to a text. Of an array, it is the first element.
func (e *environment) set(name, text string) error {
	v := e.variable(name)
	if v.isArray {
		return e.setElement(name, 0, text)
	}
	if v.readOnly {
		return fmt.Errorf("%s: readonly variable", name)
	}
	if v.isInteger {
		n, err := e.evaluateText(text, 0)
		if err != nil {
			return err
		}
		text = strconv.FormatInt(n, 10)
	}
	v.text, v.unset = text, false
	e.put(name, v)
	return nil
}

// setElement sets an element of an array.
func (e *environment) setElement(name string, index int64, text string) error {
	v := e.variable(name)
	if index < 0 {
		index += int64(len(v.list()))
	}
	size := int64(len(v.list()))
	switch {
	case v.readOnly:
		return fmt.Errorf("%s: readonly variable", name)
	case index < 0:
		return fmt.Errorf("%s: bad array subscript", name)
	case index > size:
		refuse("%s[%d]: arrays with gaps are not available here; fill them in order", name, index)
	}
	e.account.Grab(16 * int(size+1))
	defer e.account.Drop(16 * int(size+1))
	list := slices.Clone(v.list())
	if index == size {
		list = append(list, "")
	}
	list[index] = text
	v.elements, v.isArray, v.unset, v.text = list, true, false, ""
	e.put(name, v)
	return nil
}

// setList sets a variable to an array.
func (e *environment) setList(name string, list []string) error {
	v := e.variable(name)
	if v.readOnly {
		return fmt.Errorf("%s: readonly variable", name)
	}
	v.elements, v.isArray, v.unset, v.text = list, true, false, ""
	e.put(name, v)
	return nil
}

func (e *environment) export(name string) {
	v := e.variable(name)
	v.exported = true
	e.put(name, v)
}

// exportedValue returns the value of an exported variable.
func (e *environment) exportedValue(name string) (string, bool) {
	v := e.variable(name)
	return v.text, v.exported && !v.unset
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

// assign sets a variable as NAME=VALUE does.
func (e *environment) assign(a *syntax.Assign) error {
	name := a.Name.Value
	if a.Array != nil {
		return e.assignArray(a)
	}
	text := e.assignedText(a.Value)
	if a.Index == nil {
		if a.Append {
			return e.appendText(name, text)
		}
		return e.set(name, text)
	}
	index := e.number(a.Index)
	if a.Append {
		old, _ := e.element(name, index)
		text = e.concat(old, text)
	}
	return e.setElement(name, index, text)
}

func (e *environment) appendText(name, text string) error {
	old, _ := e.value(name)
	if !e.variable(name).isInteger {
		return e.set(name, e.concat(old, text))
	}
	n, err := e.evaluateText(text, 0)
	if err != nil {
		return err
	}
	before, err := e.evaluateText(old, 0)
	if err != nil {
		return err
	}
	return e.set(name, strconv.FormatInt(before+n, 10))
}

// concat returns a+b, whose memory was available. The caller counts what it keeps.
func (e *environment) concat(a, b string) string {
	e.account.Grab(len(a) + len(b))
	e.account.Drop(len(a) + len(b))
	return a + b
}

func (e *environment) assignArray(a *syntax.Assign) error {
	account := e.newAccount("an array")
	defer account.Release()
	var list []string
	if a.Append {
		for _, s := range e.variable(a.Name.Value).list() {
			list = command.Append(account, list, s)
		}
	}
	for _, element := range a.Array.Elems {
		if element.Index != nil {
			refuse("%s=([INDEX]=...): indexes are not available here; list the values in order",
				a.Name.Value)
		}
		for _, s := range e.fields(account, []*syntax.Word{element.Value}) {
			list = command.Append(account, list, s)
		}
	}
	return e.setList(a.Name.Value, list)
}

// declare is declare, typeset, local, export and readonly.
func (e *environment) declare(c *syntax.DeclClause) {
	d := declaration{e: e, name: c.Variant.Value}
	switch d.name {
	case "export":
		d.exported = true
	case "readonly":
		d.readOnly = true
	case "local":
		d.local = true
	default:
		d.local = len(e.locals) > 0
	}
	e.status = 0
	if d.name == "local" && len(e.locals) == 0 {
		e.errorf("local: can only be used in a function")
		e.status = 1
		return
	}
	account := e.newAccount(d.name)
	defer account.Release()
	for _, a := range c.Args {
		if a.Name != nil {
			d.one(a)
			continue
		}
		for _, field := range e.fields(account, []*syntax.Word{a.Value}) {
			d.field(field)
		}
	}
}

// A declaration is what a command that declares variables does.
type declaration struct {
	e                            *environment
	name                         string // of the command
	local, exported, readOnly    bool
	isInteger, isArray, unexport bool
}

// field declares what an expansion says: options, NAME or NAME=VALUE.
func (d *declaration) field(text string) {
	if letters, ok := strings.CutPrefix(text, "-"); ok {
		d.options(letters)
		return
	}
	name, value, hasValue := strings.Cut(text, "=")
	a := &syntax.Assign{Name: &syntax.Lit{Value: name}, Naked: !hasValue}
	if hasValue {
		a.Value = &syntax.Word{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: value}}}
	}
	d.one(a)
}

func (d *declaration) options(letters string) {
	for _, letter := range letters {
		switch letter {
		case 'x':
			d.exported = true
		case 'r':
			d.readOnly = true
		case 'i':
			d.isInteger = true
		case 'a':
			d.isArray = true
		case 'g':
			d.local = false
		case 'n':
			d.unexport = true
		default:
			panic(command.Abort{Err: refuseDeclare(d.name, letter)})
		}
	}
}

// refuseDeclare refuses an option that declare does not have here, among them arrays with names as
// indexes.
func refuseDeclare(name string, letter rune) error {
	return command.Refuse("%s -%c: this option is not available here; leave it out or use awk",
		name, letter)
}

// one declares one variable.
func (d *declaration) one(a *syntax.Assign) {
	e, name := d.e, a.Name.Value
	err := errors.New("`" + name + "': not a valid identifier")
	if syntax.ValidName(name) {
		err = d.declare(a, name)
	}
	if err != nil {
		e.errorf("%s: %v", d.name, err)
		e.status = 1
	}
}

func (d *declaration) declare(a *syntax.Assign, name string) error {
	e := d.e
	if d.local {
		e.makeLocal(name)
	}
	v := e.variable(name)
	v.isInteger = v.isInteger || d.isInteger
	if d.isArray && !v.isArray {
		v.elements, v.isArray, v.text = v.list(), true, ""
	}
	e.put(name, v)
	if !a.Naked {
		if err := e.assign(a); err != nil {
			return err
		}
	}
	v = e.variable(name)
	v.exported = (v.exported || d.exported) && !(d.unexport && d.name == "export")
	v.readOnly = v.readOnly || d.readOnly
	e.put(name, v)
	return nil
}

// makeLocal makes a variable local to the function that runs.
func (e *environment) makeLocal(name string) {
	frame := e.locals[len(e.locals)-1]
	if _, ok := frame[name]; ok {
		return
	}
	frame[name] = nil
	if old, ok := e.variables[name]; ok {
		frame[name] = &old
	}
	e.restore(name, nil)
}
