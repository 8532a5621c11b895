package sed

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// A space is the pattern space or the hold space.
type space struct {
	text  []byte
	ended bool // the line had an end, which is printed, too
}

// A state is a running script.
type state struct {
	options
	ctx      context.Context // of the call
	c        *command.Call
	script   *script
	ending   []byte // of a line
	input    input
	ranges   []lineRange
	regexes  map[*expression]*regex.Searcher
	last     *expression // that was used
	replaced bool        // since the last line was read or t has jumped

	space, hold     space
	spare           []byte                    // for the next pattern space
	due             []due                     // what is printed after the line
	reads           map[string]*command.Input // by R
	out             outlet
	written, errors outlet // of w
	status          int
}

// An outcome is how to go on after the commands for a line.
type outcome uint8

const (
	proceed  outcome = iota // with the next command
	nextLine                // also behind the last command
	noPrint                 // the next line, without printing
	again                   // from the beginning with the rest of the pattern space
	quit
	quitSilently
)

func run(ctx context.Context, c *command.Call, o options, script *script, operands []string) int {
	o.quiet = o.quiet || script.quiet
	s := &state{
		options: o, ctx: ctx, c: c, script: script, ranges: make([]lineRange, script.ranges),
		regexes: make(map[*expression]*regex.Searcher), reads: make(map[string]*command.Input),
	}
	s.out.to = c.Out
	s.ending = []byte{o.end}
	s.begin()
	lines := command.Lines{Account: c.Account, End: o.end}
	s.input = input{ctx: ctx, c: c, names: operands, lines: lines, block: o.block}
	if o.separate {
		s.input.reset = s.begin
	}
	defer s.close()
	s.cycles()
	if s.input.failed && s.status == 0 {
		return 2
	}
	return s.status
}

// begin sets what is known before the first line. A range from line 0 is active there.
func (s *state) begin() {
	s.hold = space{text: s.hold.text[:0], ended: true}
	s.closeReads()
	for i := range s.script.commands {
		in := &s.script.commands[i]
		if in.to != nil {
			isActive := in.from.kind == lineNumber && in.from.n == 0
			s.ranges[in.state] = lineRange{active: isActive, closed: isActive}
		}
	}
}

func (s *state) close() {
	s.input.close()
	s.closeReads()
}

// cycles runs the script for each line.
func (s *state) cycles() {
	keep := false
	for {
		if !keep && !s.read() {
			return
		}
		result := s.commands()
		isPrinted := result == nextLine || result == quit
		if isPrinted && !s.quiet {
			s.printSpace()
		}
		if result == quitSilently {
			return
		}
		if keep = result == again; !keep {
			s.flushDue()
		}
		if result == quit {
			s.endLine(&s.out)
			return
		}
	}
}

// read reads the next line into the pattern space.
func (s *state) read() bool {
	s.input.skip(s.unwanted())
	text, ended, ok := s.input.next()
	if !ok {
		return false
	}
	s.replaced = false
	s.space.text = s.append(s.space.text[:0], text)
	s.space.ended = ended
	return true
}

// append appends to a slice, and counts its memory.
func (s *state) append(dst, src []byte) []byte {
	return command.Append(s.c.Account, dst, src...)
}

// searcher returns the searcher of an expression, or of the last one if it is nil.
func (s *state) searcher(re *expression) *regex.Searcher {
	if re == nil {
		re = s.last
	}
	if re == nil {
		s.c.Fatalf(1, "no previous regular expression")
	}
	s.last = re
	if s.regexes[re] == nil {
		s.regexes[re] = re.NewSearcher(s.ctx, s.c.Account)
	}
	return s.regexes[re]
}

// commands runs the commands for a line.
func (s *state) commands() outcome {
	commands := s.script.commands
	for i := 0; i < len(commands); {
		s.c.Account.Tick()
		in := &commands[i]
		i++
		isSelected := s.selects(in) != in.negated
		switch {
		case !isSelected && in.name == '{':
			i = in.target
		case !isSelected, in.name == '{':
		case strings.IndexByte("btT", in.name) >= 0:
			if s.jumps(in.name) {
				i = in.target
			}
		default:
			if result := s.command(in); result != proceed {
				return result
			}
		}
	}
	return nextLine
}

// jumps reports whether b, t or T jumps.
func (s *state) jumps(name byte) bool {
	if name == 'b' {
		return true
	}
	replaced := s.replaced
	s.replaced = false
	return replaced == (name == 't')
}

// command runs a command that does not jump.
func (s *state) command(in *instruction) outcome {
	switch in.name {
	case '=':
		s.print([]byte(strconv.Itoa(s.input.line)), true)
	case 'a':
		s.addDue(due{text: in.text})
	case 'i':
		s.printLine(in.text)
	case 'c':
		if in.to == nil || in.negated || !s.ranges[in.state].active {
			s.printLine(in.text)
		}
		return noPrint
	case 'd':
		return noPrint
	case 'D':
		at := bytes.IndexByte(s.space.text, s.end)
		if at < 0 {
			return noPrint
		}
		s.space.text = s.space.text[:copy(s.space.text, s.space.text[at+1:])]
		return again
	case 'n', 'N':
		return s.readNext(in.name == 'N')
	case 'p':
		s.printSpace()
	case 'P':
		s.print(s.first())
	case 'q':
		s.status = in.number & 0xFF
		return quit
	case 'Q':
		s.status = in.number & 0xFF
		return quitSilently
	case 's':
		s.substituteAndPrint(in.pattern)
	default:
		s.otherCommand(in)
	}
	return proceed
}

// otherCommand runs a command about the hold space, or one that few scripts have.
func (s *state) otherCommand(in *instruction) {
	switch in.name {
	case 'g':
		s.space.text, s.space.ended = s.append(s.space.text[:0], s.hold.text), s.hold.ended
	case 'G':
		s.add(&s.space, &s.hold)
	case 'h':
		s.hold.text, s.hold.ended = s.append(s.hold.text[:0], s.space.text), s.space.ended
	case 'H':
		s.add(&s.hold, &s.space)
	case 'x':
		s.space, s.hold = s.hold, s.space
	case 'F':
		s.print([]byte(s.input.name), true)
	case 'l':
		s.list(in.number)
	case 'r':
		s.addDue(due{file: in.text})
	case 'R':
		s.queueLine(in.text)
	case 'w':
		s.write(in.text, s.space.text, s.space.ended)
	case 'W':
		text, ended := s.first()
		s.write(in.text, text, ended)
	case 'y':
		s.transliterate(in.letters)
	case 'z':
		s.space.text = s.space.text[:0]
	}
}

// first returns the first line of the pattern space.
func (s *state) first() (text []byte, ended bool) {
	text, _, isCut := bytes.Cut(s.space.text, s.ending)
	return text, isCut || s.space.ended
}

// transliterate replaces characters in the pattern space.
func (s *state) transliterate(letters map[rune]rune) {
	out := s.spare[:0]
	for text := s.space.text; len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			r = stray(text[0])
		}
		letter := text[:size]
		if to, ok := letters[r]; ok {
			letter = utf8.AppendRune(nil, to)
		}
		out = s.append(out, letter)
		text = text[size:]
	}
	s.space.text, s.spare = out, s.space.text
}

// add adds a line to a space.
func (s *state) add(to, from *space) {
	to.text = s.append(s.append(to.text, s.ending), from.text)
	to.ended = from.ended
}

// readNext runs n, or N if it appends.
func (s *state) readNext(appends bool) outcome {
	if s.input.isLast() {
		return nextLine
	}
	if !appends && !s.quiet {
		s.printSpace()
	}
	s.flushDue()
	s.replaced = false
	text, ended, _ := s.input.next()
	if appends {
		s.space.text = s.append(s.space.text, s.ending)
	} else {
		s.space.text = s.space.text[:0]
	}
	s.space.text = s.append(s.space.text, text)
	s.space.ended = ended
	return proceed
}
