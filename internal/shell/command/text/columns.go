package text

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
)

// eachLine returns a Run that calls do for each line of the operands.
func eachLine(
	a command.Arguments, do func(c *command.Call, text []byte, ended bool) error,
) command.Run {
	return func(ctx context.Context, c *command.Call) int {
		return c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, _ string) error {
			lines := command.Lines{Account: c.Account, End: '\n'}
			for {
				text, ended, err := lines.Next(in)
				if err != nil {
					return err
				}
				if err := do(c, text, ended); err != nil {
					return err
				}
			}
		})
	}
}

func prepareRev(a command.Arguments) (command.Run, error) {
	return eachLine(a, func(c *command.Call, text []byte, ended bool) error {
		switch {
		case bytes.IndexByte(text, 0) >= 0:
			err := command.Refuse("rev: a line has a NUL character; leave such lines out")
			panic(command.Abort{Err: err})
		case !utf8.Valid(text):
			return command.GNUError("Invalid or incomplete multibyte or wide character")
		}
		for len(text) > 0 {
			_, n := utf8.DecodeLastRune(text)
			c.Out.Write(text[len(text)-n:])
			text = text[:len(text)-n]
		}
		if ended {
			c.Out.WriteByte('\n')
		}
		return nil
	}), nil
}

func prepareFold(a command.Arguments) (command.Run, error) {
	width := 80
	for _, o := range a.Options {
		if o.Name != "-w" && o.Name != "-NUM" {
			continue
		}
		n, err := strconv.Atoi(o.Value)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("invalid number of columns: ‘%s’", o.Value)
		}
		width = n
	}
	isBytes, atSpaces := a.Has("-b"), a.Has("-s")
	return eachLine(a, func(c *command.Call, text []byte, ended bool) error {
		for {
			n := foldAt(text, width, isBytes)
			if n == len(text) {
				break
			}
			if space := bytes.LastIndexAny(text[:n], " \t"); atSpaces && space >= 0 {
				n = space + 1
			}
			c.Out.Line(text[:n])
			text = text[n:]
		}
		c.Out.Write(text)
		if ended {
			c.Out.WriteByte('\n')
		}
		return nil
	}), nil
}

// foldAt returns the number of bytes that fit into a width, at least one.
func foldAt(text []byte, width int, isBytes bool) int {
	column := 0
	for i, b := range text {
		switch {
		case isBytes:
			column++
		case b == '\t':
			column += 8 - column%8
		case b == '\b':
			column = max(0, column-1)
		case b == '\r':
			column = 0
		default:
			column++
		}
		if column > width && i > 0 {
			return i
		}
	}
	return len(text)
}

func prepareExpand(a command.Arguments) (command.Run, error) {
	var stops []int
	for _, o := range a.Options {
		if o.Name != "-t" {
			continue
		}
		for text := range strings.FieldsFuncSeq(o.Value, func(r rune) bool {
			return r == ',' || r == ' '
		}) {
			n, err := strconv.Atoi(text)
			isAscending := len(stops) == 0 || n > stops[len(stops)-1]
			switch {
			case err != nil:
				return nil, fmt.Errorf("tab size contains invalid character(s): ‘%s’", text)
			case n < 1:
				return nil, errors.New("tab size cannot be 0")
			case !isAscending:
				return nil, errors.New("tab sizes must be ascending")
			case n > 1<<12:
				return nil, command.Refuse("expand -t %d: at most 4096 here", n)
			}
			stops = append(stops, n)
		}
	}
	if len(stops) == 0 {
		stops = []int{8}
	}
	onlyInitial := a.Has("-i")
	return func(ctx context.Context, c *command.Call) int {
		e := expander{stops: stops, onlyInitial: onlyInitial, isInitial: true}
		return eachLine(a, e.line)(ctx, c)
	}, nil
}

// An expander replaces tabs by spaces.
type expander struct {
	stops       []int
	onlyInitial bool
	column      int
	isInitial   bool // only blanks are before in the line
}

func (e *expander) line(c *command.Call, text []byte, ended bool) error {
	for _, b := range text {
		e.isInitial = e.isInitial && (b == ' ' || b == '\t')
		switch {
		case b == '\t' && (e.isInitial || !e.onlyInitial):
			next := nextStop(e.column, e.stops)
			c.Out.WriteString(strings.Repeat(" ", next-e.column))
			e.column = next
			continue
		case b == '\b':
			e.column = max(0, e.column-1)
		default:
			e.column++
		}
		c.Out.WriteByte(b)
	}
	if ended {
		c.Out.WriteByte('\n')
		e.column, e.isInitial = 0, true
	}
	return nil
}

func nextStop(column int, stops []int) int {
	if len(stops) == 1 {
		return column + stops[0] - column%stops[0]
	}
	for _, stop := range stops {
		if stop > column {
			return stop
		}
	}
	return column + 1
}

func prepareTee(a command.Arguments) (command.Run, error) {
	for _, name := range a.Operands {
		if name != "/dev/null" {
			return nil, command.Refuse("tee %s: nothing can be written here; leave tee out", name)
		}
	}
	return func(_ context.Context, c *command.Call) int {
		_, _ = c.In.WriteTo(c.Out)
		return 0
	}, nil
}

// A table is a column -t with its options.
type table struct {
	separator, output string
	rows              [][]string
	widths            []int
}

func prepareColumn(a command.Arguments) (command.Run, error) {
	if !a.Has("-t") {
		return nil, command.Refuse("column: only column -t is available here; use paste or pr")
	}
	separator, _ := a.Value("-s")
	output, ok := a.Value("-o")
	if !ok {
		output = "  "
	}
	return func(ctx context.Context, c *command.Call) int {
		t := table{separator: separator, output: output}
		status := eachLine(a, func(c *command.Call, text []byte, _ bool) error {
			text, _, _ = bytes.Cut(text, []byte{0}) // as the real column, which reads C strings
			t.add(c, string(text))
			return nil
		})(ctx, c)
		t.print(c)
		return status
	}, nil
}

func (t *table) add(c *command.Call, line string) {
	c.Account.Grab(2*len(line) + 32)
	if strings.TrimSpace(line) == "" {
		return
	}
	row := t.split(c.Account, line)
	t.rows = command.Append(c.Account, t.rows, row)
	for i := range row {
		row[i] = escaped(c, row[i])
		field := row[i]
		if i == len(t.widths) {
			t.widths = command.Append(c.Account, t.widths, 0)
		}
		t.widths[i] = max(t.widths[i], textWidth(field))
	}
}

// split returns the fields of a line.
func (t *table) split(account *command.Account, line string) (row []string) {
	separators := cmp.Or(t.separator, " \t")
	for {
		at := strings.IndexAny(line, separators)
		field := line
		if at >= 0 {
			field = line[:at]
		}
		if field != "" || t.separator != "" {
			row = command.Append(account, row, field)
		}
		if at < 0 {
			return row
		}
		line = line[at+1:]
	}
}

// escaped returns a field with escapes for the bytes that are not UTF-8.
func escaped(c *command.Call, s string) string {
	if utf8.ValidString(s) {
		return s
	}
	c.Account.Grab(4 * len(s))
	var b strings.Builder
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

func textWidth(s string) (n int) {
	for _, r := range s {
		if isPrint(r) {
			n += runeWidth(r)
		}
	}
	return n
}

func (t *table) print(c *command.Call) {
	last := len(t.widths) - 1
	for _, row := range t.rows {
		for i := range t.widths {
			c.Account.Tick()
			field := ""
			if i < len(row) {
				field = row[i]
			}
			c.Out.WriteString(field)
			if i == last {
				break
			}
			c.Out.WriteString(strings.Repeat(" ", t.widths[i]-textWidth(field)) + t.output)
		}
		c.Out.WriteByte('\n')
	}
}
