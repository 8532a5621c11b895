// Package awk is the command awk: gawk 5 without starting programs, writing files and the network.
// Arrays are visited in the order of gawk.
package awk

import (
	"context"
	"errors"
	"io"
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

const options command.Options = "-F= --field-separator=, -v= --assign=, -f= --file=, -e= --source=, " +
	"-r --re-interval"

// An invocation is what the arguments ask for.
type invocation struct {
	separator   string
	assignments []string
	files       []string // with the program; each is followed by a text, which can be empty
	program     string
	operands    []string
}

func prepare(name string, args []string) (command.Run, error) {
	given, operands, err := options.Parse(name, args, true)
	var wrong command.UsageError
	if errors.As(err, &wrong) {
		return func(_ context.Context, c *command.Call) int {
			c.Errorf("%s", wrong)
			return 1
		}, nil
	}
	if err != nil {
		return nil, err
	}
	v := invocation{operands: operands}
	hasProgram := false
	for _, option := range given {
		switch option.Name {
		case "-F":
			v.separator = option.Value
		case "-v":
			v.assignments = append(v.assignments, option.Value)
		case "-f":
			v.files, hasProgram = append(v.files, option.Value), true
		case "-e":
			v.program, hasProgram = v.program+option.Value+"\n", true
		}
	}
	if len(v.files) > 0 && v.program != "" {
		return nil, command.Refuse("awk: -e beside -f is not available here; use one of them")
	}
	if !hasProgram {
		if len(operands) == 0 {
			return func(_ context.Context, c *command.Call) int {
				c.Errorf("usage: awk [-F SEPARATOR] [-v NAME=VALUE] 'PROGRAM' [FILE]...")
				return 1
			}, nil
		}
		v.program, v.operands = operands[0], operands[1:]
	}
	if len(v.files) > 0 {
		return v.runFiles, nil
	}
	p, err := parse(v.program)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, c *command.Call) int { return v.run(ctx, c, p) }, nil
}

// runFiles runs a program in files, which is only known when it runs.
func (v invocation) runFiles(ctx context.Context, c *command.Call) int {
	var source strings.Builder
	for _, name := range v.files {
		in, err := c.Files.Open(ctx, name)
		if err != nil {
			text := command.Message(err)
			c.Fatalf(2, "fatal: cannot open source file `%s' for reading: %s", name, text)
		}
		c.Account.Grab(maxProgram)
		_, err = io.Copy(&source, io.LimitReader(in, maxProgram+1))
		in.Close()
		if err != nil {
			c.Fatalf(2, "fatal: cannot read source file `%s': %s", name, command.Message(err))
		}
		source.WriteByte('\n')
	}
	p, err := parse(source.String())
	if err != nil {
		panic(command.Abort{Err: err})
	}
	return v.run(ctx, c, p)
}

func (v invocation) run(ctx context.Context, c *command.Call, p *program) int {
	m := &machine{
		ctx: ctx, call: c, account: c.Account, program: p,
		globals:  make([]cell, len(p.variables)),
		files:    make(map[string]*reader),
		patterns: make(map[string]*regex.Searcher),
		compiled: c.Account.Part(),
		source:   source{separator: fs},
	}
	m.initialize(v.operands)
	if v.separator != "" {
		m.assignSpecial(fs, textual(separatorOf(v.separator)))
	}
	for _, assignment := range v.assignments {
		if !m.assignOperand(assignment) {
			c.Fatalf(2, "fatal: `%s' argument to `-v' not in `var=value' form", assignment)
		}
	}
	return m.run()
}

// separatorOf returns the separator that -F means: t is a tab.
func separatorOf(s string) string {
	if s == "t" {
		return "\t"
	}
	return unescape(s)
}
