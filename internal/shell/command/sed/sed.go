// Package sed is sed of the shell: GNU sed 4.9 without what writes files or runs programs.
package sed

import (
	"context"
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
	separate        bool // each file has lines of its own
	end             byte // of a line
}

func prepare(a command.Arguments) (command.Run, error) {
	o := options{end: '\n'}
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
