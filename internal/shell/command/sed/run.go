package sed

import (
	"bytes"
	"context"
	"strconv"

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
	input    input
	ranges   []lineRange
	regexes  map[*expression]*regex.Searcher
	last     *expression // that was used
	replaced bool        // since the last line was read or t has jumped

	space, hold space
	spare       []byte   // for the next pattern space
	due         []string // what is printed after the line
	missing     bool     // the end of the last line that was printed
	status      int
}

// A lineRange is the state of a range of lines.
type lineRange struct {
	active bool
	closed bool // it has been active
	last   int  // the number of its last line, or 0
}

// An outcome is how to go on after the commands for a line.
type outcome uint8

const (
	nextLine outcome = iota
	noPrint          // the next line, without printing
	again            // from the beginning with the rest of the pattern space
	quit
	quitSilently
)

func run(ctx context.Context, c *command.Call, o options, script *script, operands []string) int {
	o.quiet = o.quiet || script.quiet
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	s := &state{
		options: o, ctx: ctx, c: c, script: script, ranges: make([]lineRange, script.ranges),
		regexes: make(map[*expression]*regex.Searcher), hold: space{ended: true},
	}
	for i := range script.commands { // a range from line 0 is active at the start
		in := &script.commands[i]
		if in.to != nil && in.from.kind == lineNumber && in.from.n == 0 {
			s.ranges[in.state] = lineRange{active: true, closed: true}
		}
	}
	lines := command.Lines{Account: c.Account, End: '\n'}
	s.input = input{ctx: ctx, c: c, names: operands, lines: lines}
	defer s.input.close()
	s.cycles()
	if s.input.failed && s.status == 0 {
		return 2
	}
	return s.status
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
			s.print(s.space.text, s.space.ended)
		}
		s.flushDue()
		if result == quit || result == quitSilently {
			return
		}
		keep = result == again
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

// unwanted returns the number of the next lines that no command selects and that are not printed.
func (s *state) unwanted() int {
	if !s.quiet {
		return 0
	}
	next := s.input.line + 1
	unwanted := all
	for i := range s.script.commands {
		in := &s.script.commands[i]
		if in.depth > 0 {
			continue
		}
		isNumber := in.from != nil && in.from.kind == lineNumber && !in.negated
		switch {
		case !isNumber, in.to != nil && s.ranges[in.state].active:
			return 0
		case in.to != nil && s.ranges[in.state].isLate(in, next):
			return 0
		case in.from.n >= next:
			unwanted = min(unwanted, in.from.n-next)
		}
	}
	return unwanted
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

// selects reports whether the addresses of a command select the line.
func (s *state) selects(in *instruction) bool {
	switch {
	case in.from == nil:
		return true
	case in.to == nil:
		return s.matches(in.from)
	}
	r := &s.ranges[in.state]
	line := s.input.line
	if r.active {
		switch {
		case in.to.kind == plus && line > r.last:
			panic(command.Abort{Err: command.Refuse("sed: the line that ends a range by +%d did not "+
				"reach the command; use numbers of lines", in.to.n)})
		case r.last > 0:
			r.active = line < r.last
			return line <= r.last
		case s.matches(in.to):
			r.active = false
		}
		return true
	}
	if !s.matches(in.from) && !r.isLate(in, line) {
		return false
	}
	*r = lineRange{closed: true}
	switch in.to.kind {
	case lineNumber:
		r.last = max(in.to.n, line)
	case plus:
		r.last = line + in.to.n
	}
	r.active = r.last == 0 || line < r.last
	return true
}

// isLate reports whether a range begins at a line because its command was not reached at its first.
func (r *lineRange) isLate(in *instruction, line int) bool {
	isPast := in.to.kind == lineNumber && line > in.to.n
	return in.from.kind == lineNumber && line > in.from.n && !r.closed && !isPast
}

func (s *state) matches(a *address) bool {
	line := s.input.line
	switch a.kind {
	case lineNumber:
		return line == a.n
	case lastLine:
		return s.input.isLast()
	case everyStep:
		return line >= a.n && (line-a.n)%a.step == 0
	default:
		return s.searcher(a.regex).Match(s.space.text)
	}
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
		case in.name == 'b', in.name == 't' && s.replaced:
			i = in.target
			s.replaced = s.replaced && in.name == 'b'
		default:
			if result, ends := s.command(in); ends {
				return result
			}
		}
	}
	return nextLine
}

// command runs a command that does not jump. It reports whether it ends the cycle.
func (s *state) command(in *instruction) (result outcome, ends bool) {
	switch in.name {
	case '=':
		s.printText(strconv.Itoa(s.input.line) + "\n")
	case 'a':
		s.due = append(s.due, in.text)
	case 'i':
		s.printText(in.text)
	case 'c':
		if in.to == nil || in.negated || !s.ranges[in.state].active {
			s.printText(in.text)
		}
		return noPrint, true
	case 'd':
		return noPrint, true
	case 'D':
		at := bytes.IndexByte(s.space.text, '\n')
		if at < 0 {
			return noPrint, true
		}
		s.space.text = s.space.text[:copy(s.space.text, s.space.text[at+1:])]
		return again, true
	case 'n', 'N':
		return s.readMore(in.name == 'N')
	case 'p':
		s.print(s.space.text, s.space.ended)
	case 'P':
		text, _, isCut := bytes.Cut(s.space.text, []byte("\n"))
		s.print(text, isCut || s.space.ended)
	case 'q', 'Q':
		s.status = in.number & 0xFF
		if in.name == 'Q' {
			return quitSilently, true
		}
		return quit, true
	case 's':
		if s.substitute(in.pattern) {
			s.replaced = true
			if in.pattern.print {
				s.print(s.space.text, s.space.ended)
			}
		}
	default:
		s.exchange(in.name)
	}
	return nextLine, false
}

// exchange runs a command about the hold space.
func (s *state) exchange(name byte) {
	switch name {
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
	}
}

// add adds a line to a space.
func (s *state) add(to, from *space) {
	to.text = s.append(s.append(to.text, []byte("\n")), from.text)
	to.ended = from.ended
}

// readMore runs n, or N if it appends.
func (s *state) readMore(appends bool) (result outcome, ends bool) {
	if s.input.isLast() {
		return nextLine, true
	}
	if !appends && !s.quiet {
		s.print(s.space.text, s.space.ended)
	}
	s.flushDue()
	s.replaced = false
	text, ended, _ := s.input.next()
	if appends {
		s.space.text = s.append(s.space.text, []byte("\n"))
	} else {
		s.space.text = s.space.text[:0]
	}
	s.space.text = s.append(s.space.text, text)
	s.space.ended = ended
	return nextLine, false
}

// print prints a line.
func (s *state) print(text []byte, ended bool) {
	s.endLine()
	s.c.Out.Write(text)
	if ended {
		s.c.Out.WriteByte('\n')
	}
	s.missing = !ended
}

// endLine prints the end of a line that lacks it.
func (s *state) endLine() {
	if s.missing {
		s.c.Out.WriteByte('\n')
	}
	s.missing = false
}

func (s *state) printText(text string) {
	s.endLine()
	s.c.Out.WriteString(text)
}

// flushDue prints what comes after a line.
func (s *state) flushDue() {
	for _, text := range s.due {
		s.printText(text)
	}
	s.due = s.due[:0]
}
