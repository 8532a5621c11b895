package diff

import (
	"fmt"
	"strconv"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

// A printer prints the differences of two files.
type printer struct {
	out   *command.Output
	sides [2]*side
}

func (p *printer) print(hunks []hunk, context int) {
	if context < 0 {
		for _, h := range hunks {
			p.normal(h)
		}
		return
	}
	for i, mark := range []string{"---", "+++"} {
		s := p.sides[i]
		at := format.Time("%F %T.%N %z", s.time.Local())
		fmt.Fprintf(p.out, "%s %s\t%s\n", mark, quoted(s.name), at)
	}
	for len(hunks) > 0 {
		n := 1
		for n < len(hunks) && hunks[n].a0-hunks[n-1].a1 <= 2*context {
			n++
		}
		p.unified(hunks[:n], context)
		hunks = hunks[n:]
	}
}

// quoted returns a name as the title of a difference has it.
func quoted(name string) string {
	isSpecial := func(r rune) bool { return r <= ' ' || r == '"' || r == '\\' || r == 127 }
	if strings.ContainsFunc(name, isSpecial) {
		return strconv.Quote(name)
	}
	return name
}

// lines prints lines with a mark.
func (p *printer) lines(mark string, s *side, from, to int) {
	for i := from; i < to; i++ {
		p.out.WriteString(mark)
		p.out.Line(s.lines[i])
		if s.noEnd && i == len(s.lines)-1 {
			p.out.WriteString("\\ No newline at end of file\n")
		}
	}
}

func (p *printer) normal(h hunk) {
	span := func(from, to int) string {
		if to-from <= 1 {
			return strconv.Itoa(to)
		}
		return fmt.Sprintf("%d,%d", from+1, to)
	}
	letter := "c"
	switch {
	case h.a0 == h.a1:
		letter = "a"
	case h.b0 == h.b1:
		letter = "d"
	}
	p.out.WriteString(span(h.a0, h.a1) + letter + span(h.b0, h.b1) + "\n")
	p.lines("< ", p.sides[0], h.a0, h.a1)
	if letter == "c" {
		p.out.WriteString("---\n")
	}
	p.lines("> ", p.sides[1], h.b0, h.b1)
}

func (p *printer) unified(hunks []hunk, context int) {
	first, last := hunks[0], hunks[len(hunks)-1]
	before := min(context, first.a0)
	after := min(context, len(p.sides[0].lines)-last.a1)
	span := func(from, to int) string {
		switch to - from {
		case 0:
			return fmt.Sprintf("%d,0", from)
		case 1:
			return strconv.Itoa(to)
		}
		return fmt.Sprintf("%d,%d", from+1, to-from)
	}
	fmt.Fprintf(p.out, "@@ -%s +%s @@\n", span(first.a0-before, last.a1+after),
		span(first.b0-before, last.b1+after))
	at := first.a0 - before
	for _, h := range hunks {
		p.lines(" ", p.sides[0], at, h.a0)
		p.lines("-", p.sides[0], h.a0, h.a1)
		p.lines("+", p.sides[1], h.b0, h.b1)
		at = h.a1
	}
	p.lines(" ", p.sides[0], at, last.a1+after)
}
