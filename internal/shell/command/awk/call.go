package awk

import (
	"gander/internal/shell/command"
)

// frameSize is an estimate of the memory of a call and of each of its parameters, in bytes.
const frameSize = 64

// userCall parses the call of a function of the program.
func (p *parser) userCall(name string) expression {
	p.expect("(")
	var arguments []expression
	if !p.accept(")") {
		arguments = p.inside(")")
	}
	f := p.functionNamed(name)
	return evalOnly(func(m *machine) value {
		if len(arguments) > f.parameters {
			m.fatalf("function `%s' called with more arguments than declared", name)
		}
		return m.callFunction(f, arguments)
	})
}

func (m *machine) callFunction(f *function, arguments []expression) value {
	if m.depth++; m.depth > maxDepth {
		m.refuse("functions that nest more than %d deep are not available here; use a loop", maxDepth)
	}
	m.account.Tick()
	size := frameSize * (1 + f.parameters)
	m.account.Grab(size)
	frame := make([]cell, f.parameters)
	for i, argument := range arguments {
		m.pass(&frame[i], argument)
	}
	caller := m.frame
	m.frame, m.result = frame, value{}
	f.body(m)
	m.frame = caller
	m.depth--
	for i := range frame {
		m.account.Drop(len(frame[i].s))
		isOwn := i >= len(arguments) && frame[i].array != nil
		if isOwn {
			m.clear(frame[i].array)
		}
	}
	m.account.Drop(size)
	result := m.result
	m.result = value{}
	return result
}

// pass passes an argument: an array by reference, and anything else by value.
func (m *machine) pass(parameter *cell, argument expression) {
	if argument.variable == nil {
		m.keep(parameter, argument.eval(m))
		return
	}
	c := argument.variable(m)
	switch {
	case c.array != nil:
		parameter.array = c.array
	case c.kind == unset:
		parameter.caller = c
	default:
		m.keep(parameter, argument.eval(m))
	}
}

// getline parses the forms of getline that read the records of the source, or a file.
func (p *parser) getline() expression {
	var target expression
	if p.token.kind == name || p.at("$") {
		target = p.primary()
	}
	if !p.accept("<") {
		return evalOnly(func(m *machine) value { return m.getline(target) })
	}
	file := p.primary().eval
	return evalOnly(func(m *machine) value { return m.getlineFrom(m.text(file(m)), target) })
}

func (m *machine) getline(target expression) value {
	text, ok := m.nextText()
	if ok {
		m.receive(text, target)
	}
	return boolean(ok)
}

// receive assigns a record to the target of getline, or to $0.
func (m *machine) receive(text string, target expression) {
	if target.place == nil {
		m.setRecord(text)
		return
	}
	m.assign(target.place(m), value{kind: input, s: text})
}

// getlineFrom reads a record of a file. It returns -1 if the file cannot be read.
func (m *machine) getlineFrom(name string, target expression) value {
	r := m.files[name]
	if r == nil {
		if len(m.files) >= maxFiles {
			m.refuse("more than %d files are open; close() them", maxFiles)
		}
		in, err := m.openInput(name)
		if err != nil {
			return numeric(-1)
		}
		r = m.newReader(in)
		m.files[name] = r
	}
	text, ok := m.read(r)
	if ok {
		m.receive(text, target)
	}
	return boolean(ok)
}

func (m *machine) openInput(name string) (*command.Input, error) {
	if name == "-" {
		return m.call.In.Share(), nil
	}
	return m.call.Files.Open(m.ctx, name)
}

// closeFile is the function close. It returns -1 if the file is not open.
func (m *machine) closeFile(name string) value {
	r := m.files[name]
	if r == nil {
		return numeric(-1)
	}
	r.in.Close()
	delete(m.files, name)
	return numeric(0)
}
