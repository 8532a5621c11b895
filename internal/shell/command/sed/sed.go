// Package sed is sed of the shell: all of GNU sed 4.9 but what writes or runs programs.
package sed

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// Commands returns sed.
func Commands() []command.Command {
	return []command.Command{command.New("sed", "SCRIPT [FILE]...", 1, "-n --quiet --silent, "+
		"-e= --expression=, -f= --file=, -E -r --regexp-extended, -s --separate, -u --unbuffered, "+
		"-z --null-data, -l= --line-length=, -b --binary, --posix, --sandbox, -i? --in-place?", prepare)}
}

// maxScript is the maximum size of a script, in bytes.
const maxScript = 64 << 10

// options of a call.
type options struct {
	quiet, extended, separate bool
	end                       byte // of a line
	width                     int  // of the lines that l prints
}

// A part is a part of the script, or the name of a file that contains it.
type part struct {
	text   string
	isFile bool
}

func prepare(a command.Arguments) (command.Run, error) {
	o := options{end: '\n', width: 70}
	var parts []part
	hasFile := false
	for _, option := range a.Options {
		switch option.Name {
		case "-i":
			return nil, command.Refuse("sed -i writes, and nothing can be written here; " +
				"leave out -i to see the result")
		case "--posix":
			return nil, command.Refuse("sed --posix: not supported; leave it out")
		case "-n":
			o.quiet = true
		case "-E":
			o.extended = true
		case "-s":
			o.separate = true
		case "-z":
			o.end = 0
		case "-l":
			n, err := strconv.ParseUint(option.Value, 10, 31)
			if err != nil {
				return nil, fmt.Errorf("invalid line length: %s", option.Value)
			}
			o.width = int(n)
		case "-e", "-f":
			isFile := option.Name == "-f"
			hasFile = hasFile || isFile
			parts = append(parts, part{option.Value, isFile})
		}
	}
	operands := a.Operands
	if len(parts) == 0 {
		if len(operands) == 0 {
			return nil, command.UsageError("no script specified")
		}
		parts, operands = []part{{text: operands[0]}}, operands[1:]
	}
	if hasFile {
		return func(ctx context.Context, c *command.Call) int {
			script, err := parse(o, readParts(ctx, c, parts))
			if errors.As(err, &command.Refusal{}) {
				panic(command.Abort{Err: err})
			}
			if err != nil {
				c.Fatalf(1, "%v", err)
			}
			return run(ctx, c, o, script, operands)
		}, nil
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.text)
	}
	script, err := parse(o, strings.Join(texts, "\n"))
	var fatal panicError
	if errors.As(err, &fatal) {
		return func(_ context.Context, c *command.Call) int {
			c.Fatalf(4, "%s", fatal)
			return 0
		}, nil
	}
	return func(ctx context.Context, c *command.Call) int {
		return run(ctx, c, o, script, operands)
	}, err
}

// readParts returns the script, some parts of which are in files.
func readParts(ctx context.Context, c *command.Call, parts []part) string {
	var texts []string
	for _, p := range parts {
		if !p.isFile {
			texts = append(texts, p.text)
			continue
		}
		in, err := c.Open(ctx, p.text)
		if err != nil {
			c.Fatalf(1, "couldn't open file %s: %s", p.text, command.Message(err))
		}
		head := make([]byte, maxScript+1)
		n := 0
		for n < len(head) && err == nil {
			var more int
			more, err = in.Read(head[n:])
			n += more
		}
		in.Close()
		texts = append(texts, strings.TrimSuffix(string(head[:n]), "\n"))
	}
	return strings.Join(texts, "\n")
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
	text     string // of a, i and c, the name of a file, or a label
	number   int    // of l, q and Q: -1 if missing
	target   int    // the index of the instruction after a jump, or of the end of a block
	pattern  *substitution
	table    map[rune]rune // of y
}

// An address selects lines.
type address struct {
	kind  addressKind
	n     int // the number of a line, the first of a step, or what + and ~ count
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
	multiple // as the end of a range: up to a line number that is a multiple
)
