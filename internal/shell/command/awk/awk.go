// Package awk is the command awk: the language of POSIX, as gawk 5 runs it, without random numbers,
// starting programs and writing files. Arrays are visited in the order of gawk.
package awk

import (
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

const options command.Options = "-F= --field-separator=, -v= --assign="

// An invocation is what the arguments ask for.
type invocation struct {
	separator   *string // nil without -F
	assignments []string
	operands    []string
}

func prepare(name string, args []string) (command.Run, error) {
	given, operands, err := options.Parse(name, args, true)
	var wrong command.UsageError
	if err == nil && len(operands) == 0 {
		err = command.UsageError("usage: awk [-F SEPARATOR] [-v NAME=VALUE] 'PROGRAM' [FILE]...")
	}
	if errors.As(err, &wrong) {
		return func(_ context.Context, c *command.Call) int {
			c.Errorf("%s", wrong)
			return 1
		}, nil
	}
	if err != nil {
		return nil, err
	}
	v := invocation{operands: operands[1:]}
	for _, option := range given {
		if option.Name == "-F" {
			v.separator = &option.Value
		} else {
			v.assignments = append(v.assignments, option.Value)
		}
	}
	p, err := parse(operands[0])
	if err != nil {
		return nil, err
	}
	for _, operand := range slices.Concat(v.assignments, v.operands) {
		name, _, isAssignment := strings.Cut(operand, "=")
		if err := p.checkAssigned(name); isAssignment && err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, c *command.Call) int { return v.run(ctx, c, p) }, nil
}

func (v invocation) run(ctx context.Context, c *command.Call, p *program) int {
	m := &machine{
		ctx: ctx, call: c, account: c.Account, program: p,
		globals:  make([]cell, len(p.variables)),
		patterns: make(map[string]*regex.Searcher),
		compiled: c.Account.Part(),
		source:   source{lines: command.Lines{Account: c.Account}},
		readers:  make(map[string]*source),
	}
	m.initialize(v.operands)
	if v.separator != nil {
		m.assignSpecial(fs, textual(unescape(*v.separator)))
	}
	for _, assignment := range v.assignments {
		if !m.assignOperand(assignment) {
			c.Fatalf(2, "fatal: `%s' argument to `-v' not in `var=value' form", assignment)
		}
	}
	return m.run()
}
