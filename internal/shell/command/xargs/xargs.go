// Package xargs has the command xargs.
package xargs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

const options command.Options = "+-0 --null, -n= --max-args=, -I=, -P= --max-procs=, " +
	"-d= --delimiter=, -r --no-run-if-empty"

// Commands returns the command.
func Commands() []command.Command {
	c := command.New("xargs", "[COMMAND [ARGUMENT]...]", 1, options, prepare)
	c.Nested = nested
	return []command.Command{c}
}

// maxChars is the size of a command line in bytes, as in the real xargs.
const maxChars = 128 << 10

// An xargs makes command lines of what it reads.
type xargs struct {
	argv      []string
	perRun    int    // the largest number of arguments, or 0
	replaced  string // what an argument replaces, or ""
	delimiter int    // -1: white space, and quotes
	skipEmpty bool

	ctx    context.Context // of the run
	c      *command.Call
	word   []byte // of a line, so far
	batch  []string
	used   int // bytes of the command line
	ran    bool
	status int
}

// nested returns the command that xargs runs, with an argument in the place of those that it reads.
func nested(args []string) [][]string {
	a, err := options.Parse("xargs", args)
	if err != nil || len(a.Operands) == 0 {
		return nil
	}
	return [][]string{append(slices.Clone(a.Operands), "FILE")}
}

func prepare(a command.Arguments) (command.Run, error) {
	x := xargs{argv: a.OperandsOr("echo"), delimiter: -1}
	for _, o := range a.Options {
		if err := x.set(o); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, c *command.Call) int {
		x.ctx, x.c = ctx, c
		return x.run()
	}, nil
}

func (x *xargs) set(o command.Option) (err error) {
	switch o.Name {
	case "-0":
		x.delimiter = 0
	case "-d":
		x.delimiter, err = parseDelimiter(o.Value)
	case "-n":
		n, numErr := strconv.Atoi(o.Value)
		if numErr != nil || n < 1 {
			text := fmt.Sprintf("value %s for %s option should be >= 1", o.Value, o.Name)
			return command.UsageError(text)
		}
		if x.replaced != "" && n == 1 {
			return nil
		}
		x.perRun, x.replaced = n, ""
	case "-I":
		x.replaced, x.perRun = o.Value, 0
	case "-r":
		x.skipEmpty = true
	}
	return err
}

func parseDelimiter(s string) (int, error) {
	known := map[string]int{`\n`: '\n', `\t`: '\t', `\0`: 0, `\\`: '\\'}
	if b, ok := known[s]; ok {
		return b, nil
	}
	if len(s) == 1 {
		return int(s[0]), nil
	}
	return 0, command.Refuse("xargs -d %s: not available here; use one character", s)
}

func (x *xargs) run() int {
	x.clear()
	err := x.read(x.c.In)
	if err != nil {
		x.c.Account.Check()
		x.flush(false)
		x.c.Fatalf(1, "%v", err)
	}
	isEmpty := !x.ran && len(x.batch) == 0
	x.flush(isEmpty && !x.skipEmpty && x.replaced == "")
	return x.status
}

// read reads all arguments.
func (x *xargs) read(in *command.Input) error {
	lines := command.Lines{Account: x.c.Account, End: '\n'}
	take := x.line
	if x.delimiter >= 0 {
		lines.End = byte(x.delimiter)
		take = x.whole
	}
	for {
		text, ended, err := lines.Next(in)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = take(text, ended)
		}
		if err != nil {
			return err
		}
	}
}

// whole takes what a delimiter ends as one argument.
func (x *xargs) whole(text []byte, _ bool) error {
	x.argument(string(text))
	return nil
}

// line splits a line into words, or takes it as one if it replaces something.
func (x *xargs) line(line []byte, ended bool) error {
	const space = " \t\v\f\r"
	text := bytes.TrimLeft(line, space)
	word, hasWord := x.word[:0], false
	for len(text) > 0 {
		plain := bytes.IndexAny(text, " \t'\"\\")
		if plain < 0 {
			plain = len(text)
		}
		if plain > 0 {
			word, text, hasWord = append(word, text[:plain]...), text[plain:], true
			continue
		}
		b := text[0]
		text = text[1:]
		isBlank := b == ' ' || b == '\t'
		switch {
		case isBlank && x.replaced == "":
			if hasWord {
				x.argument(string(word))
			}
			word, hasWord = word[:0], false
			text = bytes.TrimLeft(text, space)
			continue
		case b == '\'' || b == '"':
			end := bytes.IndexByte(text, b)
			if end < 0 {
				return fmt.Errorf("unmatched %s quote; by default quotes are special to xargs unless you "+
					"use the -0 option", map[byte]string{'\'': "single", '"': "double"}[b])
			}
			word = append(word, text[:end]...)
			text = text[end+1:]
		case b == '\\' && len(text) > 0:
			word = append(word, text[0])
			text = text[1:]
		case b == '\\' && ended:
			command.Stop(`xargs: a line ends with a backslash; use -d '\n'`)
		default:
			word = append(word, b)
		}
		hasWord = true
	}
	if hasWord {
		x.argument(string(word))
	}
	x.word = word
	return nil
}

// argument adds an argument to the next command line.
func (x *xargs) argument(s string) {
	if strings.Contains(s, "\x00") {
		command.Stop("xargs: the input has a NUL character; use -0")
	}
	if x.replaced != "" {
		x.replace(s)
		return
	}
	if x.used+len(s)+1 > maxChars {
		if len(x.batch) == 0 {
			x.c.Fatalf(1, "argument line too long")
		}
		x.flush(false)
	}
	x.c.Account.Grab(len(s) + 32)
	x.batch = append(x.batch, s)
	x.used += len(s) + 1
	if len(x.batch) == x.perRun {
		x.flush(false)
	}
}

// replace runs the command with s in its arguments.
func (x *xargs) replace(s string) {
	argv := []string{x.argv[0]}
	size := len(x.argv[0]) + 1
	for _, arg := range x.argv[1:] {
		size += len(arg) + strings.Count(arg, x.replaced)*len(s) + 1
	}
	if size > maxChars {
		x.c.Fatalf(1, "argument list too long")
	}
	for _, arg := range x.argv[1:] {
		argv = append(argv, strings.ReplaceAll(arg, x.replaced, s))
	}
	x.exec(argv)
}

// clear begins a new batch.
func (x *xargs) clear() {
	for _, s := range x.batch {
		x.c.Account.Drop(len(s) + 32)
	}
	x.batch = x.batch[:0]
	x.used = 0
	for _, arg := range x.argv {
		x.used += len(arg) + 1
	}
}

// flush runs the command with the batch, if there is one or if always.
func (x *xargs) flush(always bool) {
	if len(x.batch) > 0 || always {
		x.exec(append(x.argv[:len(x.argv):len(x.argv)], x.batch...))
	}
	x.clear()
}

func (x *xargs) exec(argv []string) {
	x.ran = true
	x.c.Account.Check()
	in := command.NoInput()
	defer in.Close()
	status := x.c.Exec(x.ctx, argv, in, nil)
	switch {
	case status == 0:
	case status == 255:
		x.c.Fatalf(124, "%s: exited with status 255; aborting", argv[0])
	case status == 141: // no other signal ends a command here
		x.c.Fatalf(125, "%s: terminated by signal %d", argv[0], status-128)
	default:
		x.status = 123
	}
}
