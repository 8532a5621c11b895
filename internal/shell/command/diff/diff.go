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
	"unicode"

	"gander/internal/files/workspace"
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
	switch len(a.Operands) {
	case 0, 1:
		last := cmp.Or(strings.Join(a.Operands, ""), "diff")
		return nil, command.UsageError("missing operand after '" + last + "'")
	case 2:
	default:
		return nil, command.UsageError("extra operand '" + a.Operands[2] + "'")
	}
	return func(ctx context.Context, c *command.Call) int {
		d := d
		d.ctx, d.c = ctx, c
		return d.operands(a.Operands[0], a.Operands[1])
	}, nil
}

func (d *differ) operands(a, b string) int {
	isDirA, isDirB := d.isDirectory(a), d.isDirectory(b)
	switch {
	case isDirA && isDirB && d.isSame(a, b):
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

func (d *differ) isDirectory(p string) bool {
	if _, isSpecial := d.c.Files.Special[p]; isSpecial || p == "-" {
		return false
	}
	location, err := d.c.Files.Find(d.ctx, p)
	if err != nil {
		return false
	}
	info, err := location.Stat()
	return err == nil && info.Kind == workspace.Directory
}

// isSame reports whether two paths name one directory.
func (d *differ) isSame(a, b string) bool {
	var resolved [2]string
	for i, p := range []string{a, b} {
		location, err := d.c.Files.Find(d.ctx, p)
		if err == nil {
			location, err = location.Resolve()
		}
		if err != nil {
			return false
		}
		resolved[i] = location.Absolute()
	}
	return resolved[0] == resolved[1]
}

func join(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }

// maxDepth bounds the recursion.
const maxDepth = 500

func (d *differ) directories(a, b string, depth int) (status int) {
	if depth > maxDepth {
		d.c.Fatalf(2, "%s: directories are nested too deep", a)
	}
	held := d.c.Account.Held()
	namesA, namesB := d.names(a), d.names(b)
	all := slices.Concat(namesA, namesB)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		d.c.Account.Check()
		_, inA := slices.BinarySearch(namesA, name)
		_, inB := slices.BinarySearch(namesB, name)
		status = max(status, d.entry(a, b, name, inA, inB, depth))
	}
	d.c.Account.Drop(int(d.c.Account.Held() - held))
	return status
}

// names returns the sorted names of a directory.
func (d *differ) names(p string) (names []string) {
	dir, err := d.c.Files.Directory(d.ctx, p)
	if err != nil {
		d.c.Fatalf(2, "%s: %s", p, command.Message(err))
	}
	defer dir.Close()
	err = dir.Names(d.ctx, func(name []byte, _ workspace.EntryKind) bool {
		d.c.Account.Grab(2*len(name) + 96)
		names = append(names, string(name))
		return true
	})
	if err != nil {
		d.c.Fatalf(2, "%s: %s", p, command.Message(err))
	}
	slices.Sort(names)
	return names
}

func (d *differ) entry(a, b, name string, inA, inB bool, depth int) int {
	only := func(dir string) int {
		fmt.Fprintf(d.c.Out, "Only in %s: %s\n", dir, name)
		return 1
	}
	p, q := join(a, name), join(b, name)
	isDirA, isDirB := d.isDirectory(p), d.isDirectory(q)
	switch {
	case !inA:
		return only(b)
	case !inB:
		return only(a)
	case isDirA && isDirB && d.recursive:
		return d.directories(p, q, depth+1)
	case isDirA && isDirB:
		fmt.Fprintf(d.c.Out, "Common subdirectories: %s and %s\n", p, q)
		return 0
	case isDirA != isDirB:
		kinds := map[bool]string{true: "directory", false: "regular file"}
		fmt.Fprintf(d.c.Out, "File %s is a %s while file %s is a %s\n",
			p, kinds[isDirA], q, kinds[isDirB])
		return 1
	}
	if strings.ContainsFunc(p, unicode.IsControl) {
		panic(command.Abort{Err: command.Refuse("diff %q: this name is not shown here", p)})
	}
	title := "diff" + d.given + " " + command.Quote(p, false) + " " + command.Quote(q, false)
	return d.files(p, q, title+"\n")
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
	for i, err := range []error{errA, errB} {
		if err != nil {
			account.Check()
			d.c.Errorf("%s: %s", []string{a, b}[i], command.Message(err))
		}
	}
	if errA != nil || errB != nil {
		return 2
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
	case d.brief:
		fmt.Fprintf(d.c.Out, "Files %s and %s differ\n", a, b)
	case isBinary:
		fmt.Fprintf(d.c.Out, "Binary files %s and %s differ\n", a, b)
	default:
		d.c.Out.WriteString(title)
		p := printer{out: d.c.Out, sides: [2]*side{x, y}}
		p.print(hunks, d.unified)
	}
	return map[bool]int{true: 0, false: 1}[isEqual]
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
