package sed

import (
	"bytes"
	"context"
	"fmt"
	"io"
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
	readers  map[string]*command.Input
	replaced bool // since the last line was read or t has jumped

	space, hold space
	spare       []byte // for the next pattern space
	due         []func()
	missing     bool // the end of the last line that was printed
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
		regexes: make(map[*expression]*regex.Searcher), readers: make(map[string]*command.Input),
		hold: space{ended: true},
	}
	s.input = input{
		ctx: ctx, c: c, names: operands, separate: o.separate,
		lines: command.Lines{Account: c.Account, End: o.end}, begin: s.begin,
	}
	defer s.input.close()
	defer s.closeReaders()
	s.cycles()
	if s.input.failed && s.status == 0 {
		return 2
	}
	return s.status
}

// begin begins the input, or with -s an operand: no range is active but those from line 0.
func (s *state) begin() {
	for i := range s.script.commands {
		in := &s.script.commands[i]
		if in.to != nil {
			isZero := in.from.kind == lineNumber && in.from.n == 0
			s.ranges[in.state] = lineRange{active: isZero, closed: isZero}
		}
	}
}

func (s *state) closeReaders() {
	for _, in := range s.readers {
		if in != nil {
			in.Close()
		}
	}
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
	if s.end == 0 {
		text = exchanged(text)
	}
	s.space.text = s.append(s.space.text[:0], text)
	s.space.ended = ended
	return true
}

// exchanged returns a copy in which NUL and line feed have changed places: the patterns of -z
// expect that, because their lines end with NUL.
func exchanged(text []byte) []byte {
	swapped := bytes.Clone(text)
	for i, b := range text {
		switch b {
		case 0:
			swapped[i] = '\n'
		case '\n':
			swapped[i] = 0
		}
	}
	return swapped
}

// unwanted returns the number of the next lines that no command selects and that are not printed.
func (s *state) unwanted() int {
	if !s.quiet || s.separate {
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
	need := len(dst) + len(src)
	if need <= cap(dst) {
		return append(dst, src...)
	}
	size := need + need/2 + 64
	s.c.Account.Grab(size)
	grown := make([]byte, len(dst), size)
	copy(grown, dst)
	s.c.Account.Drop(cap(dst))
	return append(grown, src...)
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
	case multiple:
		r.last = line
		if in.to.n > 0 {
			r.last = (line/in.to.n + 1) * in.to.n
		}
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
		case in.name == 'b', in.name == 't' && s.replaced, in.name == 'T' && !s.replaced:
			i = in.target
			s.replaced = s.replaced && in.name == 'b'
		case in.name == 'T':
			s.replaced = false
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
		s.due = append(s.due, func() { s.printText(in.text) })
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
	case 'F':
		s.printText(s.input.name + "\n")
	case 'l':
		s.printEscaped(in.number)
	case 'n', 'N':
		return s.readMore(in.name == 'N')
	case 'p', 'w':
		s.print(s.space.text, s.space.ended)
	case 'P', 'W':
		text, _, isCut := bytes.Cut(s.space.text, []byte("\n"))
		s.print(text, isCut || s.space.ended)
	case 'q', 'Q':
		s.status = max(in.number, 0) & 0xFF
		if in.name == 'Q' {
			return quitSilently, true
		}
		return quit, true
	case 'r':
		s.due = append(s.due, func() { s.printFile(in.text) })
	case 'R':
		s.printLineOf(in.text)
	case 's':
		if s.substitute(in.pattern) {
			s.replaced = true
			if in.pattern.print {
				s.print(s.space.text, s.space.ended)
			}
			if in.pattern.write {
				s.print(s.space.text, s.space.ended)
			}
		}
	case 'y':
		s.transliterate(in.table)
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
	case 'z':
		s.space.text = s.space.text[:0]
	}
}

// add adds a line to a space.
func (s *state) add(to, from *space) {
	to.text = s.append(s.append(to.text, []byte("\n")), from.text)
	to.ended = to.ended || from.ended
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
	if s.end == 0 {
		text = exchanged(text)
	}
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
	if s.end == 0 {
		text = exchanged(text)
	}
	s.endLine()
	s.c.Out.Write(text)
	if ended {
		s.c.Out.WriteByte(s.end)
	}
	s.missing = !ended
}

// endLine prints the end of a line that lacks it.
func (s *state) endLine() {
	if s.missing {
		s.c.Out.WriteByte(s.end)
	}
	s.missing = false
}

func (s *state) printText(text string) {
	s.endLine()
	s.c.Out.WriteString(text)
}

// flushDue prints what comes after a line.
func (s *state) flushDue() {
	for _, print := range s.due {
		print()
	}
	s.due = s.due[:0]
}

// open opens a file of r or R, or returns nil.
func (s *state) open(name string) *command.Input {
	if name == "/dev/stdin" {
		return s.c.In.Share()
	}
	in, err := s.c.Files.Open(s.ctx, name)
	if err != nil {
		return nil
	}
	return in
}

// printFile prints a file. One that cannot be read is empty.
func (s *state) printFile(name string) {
	in := s.open(name)
	if in == nil {
		return
	}
	defer in.Close()
	s.endLine()
	if _, err := io.Copy(s.c.Out, in); err != nil {
		s.c.Account.Check()
	}
}

// printLineOf prints the next line of a file after the current one.
func (s *state) printLineOf(name string) {
	in, ok := s.readers[name]
	if !ok {
		in = s.open(name)
		s.readers[name] = in
	}
	if in == nil {
		return
	}
	lines := command.Lines{Account: s.c.Account, End: s.end}
	text, ended, err := lines.Next(in)
	if err != nil {
		return
	}
	line := string(text)
	if ended {
		line += string(rune(s.end))
	}
	s.c.Account.Grab(len(line))
	s.due = append(s.due, func() {
		s.printText(line)
		s.c.Account.Drop(len(line))
	})
}

// printEscaped prints the pattern space as l does.
func (s *state) printEscaped(width int) {
	if width < 0 {
		width = s.width
	}
	var line []byte
	s.endLine()
	for _, b := range s.space.text {
		piece := escaped(b)
		if width > 1 && len(line)+len(piece) > width-1 {
			s.c.Out.Line(append(line, '\\'))
			line = line[:0]
		}
		line = append(line, piece...)
	}
	s.c.Out.Line(append(line, '$'))
}

func escaped(b byte) string {
	for i, c := range []byte("\\\a\b\f\n\r\t\v") {
		if b == c {
			return `\` + `\abfnrtv`[i:i+1]
		}
	}
	if b < ' ' || b > '~' {
		return fmt.Sprintf(`\%03o`, b)
	}
	return string(rune(b))
}
