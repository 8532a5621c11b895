package sed

import "gander/internal/shell/command"

// A lineRange is the state of a range of lines.
type lineRange struct {
	active bool
	closed bool // it has been active
	last   int  // the number of its last line, or 0
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
		case in.to.kind >= plus && line > r.last:
			panic(command.Abort{Err: command.Refuse("sed: the line that ends a range by + or ~ did not " +
				"reach the command; use numbers of lines")})
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
			r.last += in.to.n - line%in.to.n
		}
	}
	r.active = r.last == 0 || line < r.last
	return true
}

// isLate reports whether a range begins only at this line, because its command was not reached at
// the first line of the range.
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
