// Package sed is sed of the shell: GNU sed 4.9 without what writes files or runs programs.
package sed

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// Commands returns sed.
func Commands() []command.Command {
	return []command.Command{command.New("sed", "SCRIPT [FILE]...", 1, "-n --quiet --silent, "+
		"-e= --expression=, -E -r --regexp-extended, -s --separate, -u --unbuffered, "+
		"-z --null-data, -i? --in-place?", prepare)}
}

// maxScript is the maximum size of a script, in bytes.
const maxScript = 64 << 10

// options of a call.
type options struct {
	quiet, extended bool
	separate        bool  // each file has lines of its own
	end             byte  // of a line
	block           int64 // the size of the blocks in which it reads a pipe, or 0
}

func prepare(a command.Arguments) (command.Run, error) {
	o := options{end: '\n', block: 4 << 10}
	var parts []string
	for _, option := range a.Options {
		switch option.Name {
		case "-i":
			return nil, command.Refuse("sed -i writes, and nothing can be written here; " +
				"leave out -i to see the result")
		case "-n":
			o.quiet = true
		case "-E":
			o.extended = true
		case "-s":
			o.separate = true
		case "-u":
			o.block = 0
		case "-z":
			o.end = 0
		case "-e":
			parts = append(parts, option.Value)
		}
	}
	if len(parts) == 0 {
		if len(a.Operands) == 0 {
			return nil, command.UsageError("no script specified")
		}
		parts, a.Operands = a.Operands[:1], a.Operands[1:]
	}
	script, err := parse(o, strings.Join(parts, "\n"))
	return func(ctx context.Context, c *command.Call) int {
		return run(ctx, c, o, script, a.OperandsOr("-"))
	}, err
}

// A script is a parsed script.
type script struct {
	commands []instruction
	quiet    bool // it begins with "#n"
	ranges   int  // the number of addresses that are ranges
}

// An instruction is a command with its addresses.
type instruction struct {
	from, to *address // nil if missing
	state    int      // the index of the state of a range
	negated  bool
	name     byte
	depth    int    // the number of blocks around it
	text     string // of a, i and c, a label, or the name of a file
	number   int    // of q, Q and l
	target   int    // the index of the instruction after a jump, or of the end of a block
	pattern  *substitution
	letters  map[rune]rune // of y
}

// An address selects lines.
type address struct {
	kind  addressKind
	n     int // the number of a line, the first of a step, or what + counts
	step  int
	regex *expression
}

type addressKind uint8

const (
	lineNumber addressKind = iota
	lastLine
	everyStep
	matching
	plus     // as the end of a range: so many lines more
	multiple // as the end of a range: the next multiple of a number
)

// A parser parses a script. It fails if it is invalid.
type parser struct {
	o      options
	s      string
	i      int
	script script
	blocks []int // the open blocks
	labels map[string]int
}

func parse(o options, text string) (s *script, err error) {
	if len(text) > maxScript {
		return nil, command.Refuse("a script of sed has at most %d bytes here", maxScript)
	}
	p := &parser{o: o, s: text, labels: make(map[string]int)}
	defer command.Catch(&err)
	p.script.quiet = strings.HasPrefix(text, "#n")
	for p.skip(" \t\n;"); p.i < len(p.s); p.skip(" \t\n;") {
		p.instruction()
	}
	if len(p.blocks) > 0 {
		p.fail("unmatched `{'")
	}
	for i := range p.script.commands {
		p.resolve(&p.script.commands[i])
	}
	return &p.script, nil
}

func (p *parser) fail(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	command.Fail(fmt.Errorf("-e expression #1, char %d: %s", p.i, text))
}

func (p *parser) refuse(format string, a ...any) { command.Fail(command.Refuse(format, a...)) }

// resolve sets the target of a jump.
func (p *parser) resolve(in *instruction) {
	if strings.IndexByte("btT", in.name) < 0 {
		return
	}
	in.target = len(p.script.commands)
	if in.text == "" {
		return
	}
	target, ok := p.labels[in.text]
	if !ok {
		p.refuse("sed: the label %q is missing; write :%s", in.text, in.text)
	}
	in.target = target
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *parser) skip(bytes string) {
	for p.i < len(p.s) && strings.IndexByte(bytes, p.s[p.i]) >= 0 {
		p.i++
	}
}

// until returns the text up to one of some bytes, and moves there.
func (p *parser) until(ends string) string {
	rest := p.s[p.i:]
	if n := strings.IndexAny(rest, ends); n >= 0 {
		rest = rest[:n]
	}
	p.i += len(rest)
	return rest
}

// number parses digits, if there are any.
func (p *parser) number() (n int, ok bool) {
	start := p.i
	p.skip("0123456789")
	if p.i == start {
		return 0, false
	}
	n, err := strconv.Atoi(p.s[start:p.i])
	if err != nil {
		n = math.MaxInt
	}
	return n, true
}

func (p *parser) instruction() {
	in := instruction{depth: len(p.blocks)}
	in.from = p.address(false)
	p.skip(" \t")
	if in.from != nil && p.peek() == ',' {
		p.i++
		p.skip(" \t")
		in.to = p.address(true)
		if in.to == nil {
			p.fail("unexpected `,'")
		}
		in.state = p.script.ranges
		p.script.ranges++
	}
	p.skip(" \t")
	if p.peek() == '!' {
		in.negated = true
		p.i++
		p.skip(" \t")
	}
	if p.peek() == '!' {
		p.fail("multiple `!'s")
	}
	if p.i == len(p.s) {
		p.fail("missing command")
	}
	in.name = p.s[p.i]
	p.i++
	isZero := in.from != nil && in.from.kind == lineNumber && in.from.n == 0
	switch {
	case !isZero, in.to != nil && in.to.kind == matching:
	case in.name == 'r':
		p.refuse("sed: 0r is not available here; use cat")
	default:
		p.fail("invalid usage of line address 0")
	}
	p.arguments(&in)
}
