// Package awk is the command awk: the language of POSIX, as gawk 5 runs it, without random numbers,
// starting programs and writing files. Arrays are visited in the order of gawk.
package awk

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// Commands returns the commands of the package.
func Commands() []command.Command {
	return []command.Command{{
		Names:    []string{"awk", "gawk", "mawk"},
		Options:  options,
		Operands: "'PROGRAM' [FILE]...",
		Prepare:  prepare,
	}}
}

const options command.Options = "+-F= --field-separator=, -v= --assign="

func prepare(name string, args []string) (command.Run, error) {
	a, err := options.Parse(name, args)
	var wrong command.UsageError
	switch {
	case errors.As(err, &wrong):
		err = command.GNUError(wrong)
	case err == nil && len(a.Operands) == 0:
		err = command.GNUError("usage: awk [-F SEPARATOR] [-v NAME=VALUE] 'PROGRAM' [FILE]...")
	}
	if err != nil {
		return command.Failing(err, 1)
	}
	p, err := parse(a.Operands[0])
	if err != nil {
		return nil, err
	}
	a.Operands = a.Operands[1:]
	assigned := slices.Clone(a.Operands)
	for _, o := range a.Options {
		if o.Name == "-v" {
			assigned = append(assigned, o.Value)
		}
	}
	for _, operand := range assigned {
		name, v, isAssignment := strings.Cut(operand, "=")
		if err := p.checkAssigned(name, v); isAssignment && err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, c *command.Call) int { return execute(ctx, c, a, p) }, nil
}

func execute(ctx context.Context, c *command.Call, a command.Arguments, p *program) int {
	m := &machine{
		ctx: ctx, call: c, account: c.Account, program: p,
		globals:  make([]cell, len(p.variables)),
		patterns: make(map[string]*regex.Searcher),
		compiled: c.Account.Part(),
		source:   source{lines: command.Lines{Account: c.Account}},
		readers:  make(map[string]*source),
		warned:   make(map[string]bool),
	}
	m.initialize(a.Operands)
	for _, option := range a.Options {
		switch {
		case option.Name == "-F":
			m.checkQuoted(option.Value)
			m.assignSpecial(fs, textual(unescape(option.Value, m.warnOnce)))
		case !m.assignOperand(option.Value):
			c.Fatalf(2, "fatal: `%s' argument to `-v' not in `var=value' form", option.Value)
		}
	}
	for _, n := range p.notices {
		m.line = n.line
		m.warnOnce(n.text)
	}
	return m.run()
}

// assignOperand assigns a variable if an operand has the form NAME=VALUE.
func (m *machine) assignOperand(operand string) bool {
	name, v, found := strings.Cut(operand, "=")
	if !found || wordForm.FindString(name) != name || name == "" {
		return false
	}
	if err := m.program.checkAssigned(name, v); err != nil {
		panic(command.Abort{Err: err})
	}
	if i, used := m.program.variables[name]; used {
		line := m.line
		m.line = 0
		text := unescape(v, m.warnOnce)
		m.assign(place{cell: &m.globals[i], special: specialAt(i)}, value{kind: input, s: text})
		m.line = line
	}
	return true
}

// checkAssigned refuses to assign a word that is no variable, or one that has another meaning in
// gawk, and a text that is not available as a value.
func (p *program) checkAssigned(word, text string) error {
	switch {
	case p.functions[word] != nil || kindOf(word) != name:
		return command.Refuse("awk: %s=: %s cannot be assigned here; leave it out", word, word)
	case word == "RS":
		return cmp.Or(checkQuoted(text), checkSeparator(unescape(text, func(string) {})))
	}
	return checkQuoted(text)
}

// checkSeparator refuses a separator of records that is a regular expression.
func checkSeparator(text string) error {
	if len(text) > 1 {
		return command.Refuse("awk: RS = %q: only one character or an empty text is available here; "+
			"replace it with tr or sed before awk", text)
	}
	return nil
}

// run runs the rules. It returns the exit status.
func (m *machine) run() int {
	defer m.close()
	state := proceed
	for i := range m.program.begin {
		if state = m.once(&m.program.begin[i], "BEGIN"); state == leave {
			break
		}
	}
	readsInput := len(m.program.rules)+len(m.program.end) > 0
	if state != leave && readsInput {
		m.records()
	}
	// exit elsewhere does not skip the rules END.
	for i := range m.program.end {
		if m.once(&m.program.end[i], "END") == leave {
			break
		}
	}
	return m.status
}

// once runs a rule BEGIN or END.
func (m *machine) once(r *rule, name string) flow {
	state := m.apply(r)
	if state == skipRecord || state == skipFile {
		m.fatalf("`next' cannot be called from a `%s' rule", name)
	}
	return state
}

// apply runs a rule if it selects the record. A function can end it.
func (m *machine) apply(r *rule) (state flow) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case flow:
			state = r
			m.pop(m.stack)
		default:
			panic(r)
		}
	}()
	m.line = r.line
	if !r.selects(m) {
		return proceed
	}
	return r.action(m)
}

// close closes the files that are open.
func (m *machine) close() {
	m.source.close()
	for _, s := range m.readers {
		s.close()
	}
	m.compiled.Release()
}

// records runs the rules for each record.
func (m *machine) records() {
	for {
		text, ok := m.nextRecord()
		if !ok {
			return
		}
		m.setRecord(text)
		for i := range m.program.rules {
			state := m.apply(&m.program.rules[i])
			if state == leave {
				return
			}
			if state == skipFile {
				m.source.close()
			}
			if state != proceed {
				break
			}
		}
	}
}
