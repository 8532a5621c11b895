// Package diff has the command diff.
package diff

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

// Commands returns the command.
func Commands() []command.Command {
	return []command.Command{command.New("diff", "FILE FILE", 2, "-u, -U= --unified?, -q --brief, "+
		"-r --recursive, -w --ignore-all-space, --color?", prepare)}
}

// A differ is a diff with its options.
type differ struct {
	unified                   int // lines of context, or -1
	brief, recursive, noSpace bool
	given                     string // the options as they were given

	ctx context.Context // of the run
	c   *command.Call
}

func prepare(a command.Arguments) (command.Run, error) {
	d := differ{
		unified: -1, brief: a.Has("-q"), recursive: a.Has("-r"), noSpace: a.Has("-w"),
	}
	for _, o := range a.Options {
		switch o.Name {
		case "-u":
			d.unified = max(d.unified, 3)
		case "-U":
			n, err := strconv.Atoi(cmp.Or(o.Value, "3"))
			if err != nil || n < 0 {
				return nil, fmt.Errorf("invalid context length '%s'", o.Value)
			}
			d.unified = max(d.unified, n)
		case "--color":
			if o.Value != "never" && o.Value != "auto" {
				return nil, command.Refuse("diff --color: colors are not available here; leave it out")
			}
		}
	}
	operands := slices.Clone(a.Operands)
	for _, arg := range a.All {
		if len(operands) > 0 && arg == operands[0] {
			operands = operands[1:]
			continue
		}
		d.given += " " + command.Quote(arg, false)
	}
	if len(a.Operands) < 2 {
		last := cmp.Or(strings.Join(a.Operands, ""), "diff")
		return nil, command.UsageError("missing operand after '" + last + "'")
	}
	if len(a.Operands) > 2 {
		return nil, command.UsageError("extra operand '" + a.Operands[2] + "'")
	}
	return func(ctx context.Context, c *command.Call) int {
		d.ctx, d.c = ctx, c
		return d.operands(a.Operands[0], a.Operands[1])
	}, nil
}

func (d *differ) operands(a, b string) int {
	isDirA, isDirB := d.isDirectory(a), d.isDirectory(b)
	switch {
	case a == "-" && b == "-", isDirA && isDirB && d.isSame(a, b):
		return 0
	case isDirA && isDirB:
		return d.directories(a, b, 0)
	case isDirA && b != "-":
		a = join(a, path.Base(b))
	case isDirB && a != "-":
		b = join(b, path.Base(a))
	}
	return d.files(a, b, "")
}

// A side is one of the files.
type side struct {
	name  string
	data  []byte
	lines [][]byte // without their ends
	ids   []int32  // equal for equal lines
	time  time.Time
	noEnd bool // the last line has no end
}

// files compares two files. title stands before their differences.
func (d *differ) files(a, b, title string) int {
	account := d.c.Account
	held := account.Held()
	defer func() { account.Drop(int(account.Held() - held)) }()
	x, errA := d.load(a)
	y, errB := d.load(b)
	status := 0
	for i, err := range []error{errA, errB} {
		if err != nil {
			d.c.Errorf("%s: %s", []string{a, b}[i], command.Message(err))
			status = 2
		}
	}
	if status > 0 {
		return status
	}
	isEqual := bytes.Equal(x.data, y.data)
	isBinary := hasNUL(x.data) || hasNUL(y.data)
	var hunks []hunk
	if !isEqual && !isBinary && (!d.brief || d.noSpace) {
		hunks = d.hunks(x, y)
		isEqual = len(hunks) == 0
	}
	switch {
	case isEqual:
		return 0
	case d.brief:
		fmt.Fprintf(d.c.Out, "Files %s and %s differ\n", a, b)
	case isBinary:
		fmt.Fprintf(d.c.Out, "Binary files %s and %s differ\n", a, b)
	default:
		d.c.Out.WriteString(title)
		d.print(x, y, hunks)
	}
	return 1
}

// hasNUL reports whether the beginning of a file has a byte that no text has.
func hasNUL(b []byte) bool { return bytes.IndexByte(b[:min(len(b), 4096)], 0) >= 0 }

func (d *differ) load(name string) (*side, error) {
	s := &side{name: name, time: time.Now()}
	in, err := d.c.Open(d.ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.File != nil && name != "-" {
		info, err := in.File.Info()
		if err != nil {
			return nil, err
		}
		s.time = info.ModTime
	}
	for {
		b, err := in.Take()
		s.data = command.Append(d.c.Account, s.data, b...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	s.noEnd = len(s.data) > 0 && s.data[len(s.data)-1] != '\n'
	d.c.Account.Grab(2 * (24 + 4) * (bytes.Count(s.data, []byte{'\n'}) + 1))
	for line := range bytes.Lines(s.data) {
		s.lines = append(s.lines, bytes.TrimSuffix(line, []byte{'\n'}))
	}
	return s, nil
}

// key returns what is compared of a line.
func (d *differ) key(s *side, i int) string {
	line := string(s.lines[i])
	switch {
	case d.noSpace:
		isSpace := func(r rune) bool { return strings.ContainsRune(" \t\v\f\r", r) }
		return strings.Join(strings.FieldsFunc(line, isSpace), "")
	case s.noEnd && i == len(s.lines)-1:
		return line + "\n" // unequal to every line with an end
	}
	return line
}

// hunks returns the differences of two files.
func (d *differ) hunks(x, y *side) []hunk {
	ids := map[string]int32{}
	for _, s := range []*side{x, y} {
		for i := range s.lines {
			d.c.Account.Tick()
			key := d.key(s, i)
			id, ok := ids[key]
			if !ok {
				d.c.Account.Grab(len(key) + 64)
				id = int32(len(ids))
				ids[key] = id
			}
			s.ids = append(s.ids, id)
		}
	}
	// The equal ends are left out, except for what is shown of them, and changes do not move there.
	start, end := equalEnds(x, y)
	start = max(0, start-max(0, d.unified))
	end = max(0, end-max(0, d.unified))
	hunks := compare(d.c.Account, x.ids[start:len(x.ids)-end], y.ids[start:len(y.ids)-end], len(ids))
	for i := range hunks {
		hunks[i] = hunks[i].moved(start)
	}
	return hunks
}

// equalEnds returns the numbers of lines at the beginning and at the end that are equal.
func equalEnds(x, y *side) (start, end int) {
	least := min(len(x.lines), len(y.lines))
	for start < least && x.ids[start] == y.ids[start] && bytes.Equal(x.lines[start], y.lines[start]) {
		start++
	}
	for x.noEnd == y.noEnd && end < least-start {
		a, b := x.lines[len(x.lines)-1-end], y.lines[len(y.lines)-1-end]
		if !bytes.Equal(a, b) {
			break
		}
		end++
	}
	return start, end
}

// print prints the differences of two files.
func (d *differ) print(x, y *side, hunks []hunk) {
	if d.unified < 0 {
		for _, h := range hunks {
			d.normal(x, y, h)
		}
		return
	}
	d.heading("---", x)
	d.heading("+++", y)
	for len(hunks) > 0 {
		n := 1
		for n < len(hunks) && hunks[n].a0-hunks[n-1].a1 <= 2*d.unified {
			n++
		}
		d.joined(x, y, hunks[:n])
		hunks = hunks[n:]
	}
}

func (d *differ) heading(mark string, s *side) {
	at := format.Time("%F %T.%N %z", s.time.Local())
	fmt.Fprintf(d.c.Out, "%s %s\t%s\n", mark, quoted(s.name), at)
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
func (d *differ) lines(mark string, s *side, from, to int) {
	for i := from; i < to; i++ {
		d.c.Out.WriteString(mark)
		d.c.Out.Line(s.lines[i])
		if s.noEnd && i == len(s.lines)-1 {
			d.c.Out.WriteString("\\ No newline at end of file\n")
		}
	}
}

func (d *differ) normal(x, y *side, h hunk) {
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
	d.c.Out.WriteString(span(h.a0, h.a1) + letter + span(h.b0, h.b1) + "\n")
	d.lines("< ", x, h.a0, h.a1)
	if letter == "c" {
		d.c.Out.WriteString("---\n")
	}
	d.lines("> ", y, h.b0, h.b1)
}

// joined prints hunks that are near each other, with what is around them.
func (d *differ) joined(x, y *side, hunks []hunk) {
	first, last := hunks[0], hunks[len(hunks)-1]
	before := min(d.unified, first.a0)
	after := min(d.unified, len(x.lines)-last.a1)
	span := func(from, to int) string {
		switch to - from {
		case 0:
			return fmt.Sprintf("%d,0", from)
		case 1:
			return strconv.Itoa(to)
		}
		return fmt.Sprintf("%d,%d", from+1, to-from)
	}
	fmt.Fprintf(d.c.Out, "@@ -%s +%s @@\n", span(first.a0-before, last.a1+after),
		span(first.b0-before, last.b1+after))
	at := first.a0 - before
	for _, h := range hunks {
		d.lines(" ", x, at, h.a0)
		d.lines("-", x, h.a0, h.a1)
		d.lines("+", y, h.b0, h.b1)
		at = h.a1
	}
	d.lines(" ", x, at, last.a1+after)
}
