package read

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/native/section"
	"gander/internal/native/wording"
)

const (
	maxSignature   = 8   // the maximum number of lines shown of a signature above a part of a function
	signatureChars = 200 // shown of such a line
)

// linesSection returns the section with the lines of a passage. The cursor is before the first one.
func (x *requestedFile) linesSection(ctx context.Context, p passage) (section.Section, error) {
	page := &section.Page{Offset: 1, Limit: p.pageLimit(), Budget: x.budget}
	var items section.Items
	var altered []alterations // of each line
	above, err := x.signature(ctx, p)
	if err != nil {
		return section.Section{}, err
	}
	for !page.Closed {
		line, err := x.cursor.Next(ctx)
		wasAdded := p.first < 0 && line.Number >= 0 // since the lines were counted from the end
		if err == io.EOF || err == nil && wasAdded {
			if p.first > 0 {
				x.total = p.first + page.Found - 1
			}
			break
		}
		if err != nil {
			return section.Section{}, err
		}
		if !page.Next() {
			break
		}
		item, more, err := x.item(ctx, line)
		if err != nil {
			return section.Section{}, err
		}
		items.Add(append(above, item...))
		above = nil
		page.CheckSize(items.Size())
		altered = append(altered, more)
	}
	return items.Section(x.budget, func(n int) section.Section {
		s := x.frame(ctx, p, p.first+n-1, page.Continues(n))
		var all alterations
		for _, a := range altered[:n] {
			all.escaped += a.escaped
			all.invalid += a.invalid
		}
		s.Markers = wording.JoinLines(s.Markers, all.note())
		return s
	}), nil
}

// frame returns the section with the lines of a passage up to a last one, without its body. more
// says that the file has other lines after it.
func (x *requestedFile) frame(
	ctx context.Context, p passage, last int, more bool,
) (s section.Section) {
	s.Heading = x.title + ": " + x.rangeText(p.first, last) + p.note() + x.textNote(p.first, last)
	s.Truncated = more && last != p.wanted
	switch {
	case s.Truncated:
		s = s.WithHint(x.leftText(p, last), x.continueHint(ctx, p, last+1))
	case p.whole.IsFunction && last < p.whole.Last:
		rest := fmt.Sprintf("%s:%d-%d", x.shown, last+1, p.whole.Last)
		s.Markers = fmt.Sprintf("[%s of the %s; continue with %s]",
			wording.Counted(p.whole.Last-last, "more line"), p.noun,
			wording.StringArgument(ctx, "path", rest))
	}
	return s
}

// signature returns the lines of the signature of the function that a passage is a part of, unless
// they are among its lines. The cursor is before those, and again afterwards.
func (x *requestedFile) signature(ctx context.Context, p passage) (above []byte, err error) {
	isNeeded := p.whole.IsFunction && p.first > p.whole.Head
	if !isNeeded || !x.selected.numbers {
		return nil, nil
	}
	here := x.cursor.Position()
	defer func() { x.cursor.Move(here) }()
	last := min(p.whole.Body, p.whole.Head+maxSignature-1, p.first-1)
	for number := p.whole.Head; number <= last; number++ {
		if err := x.cursor.Seek(ctx, number); err != nil {
			return nil, err
		}
		line, err := x.cursor.Next(ctx)
		if err != nil {
			return nil, err
		}
		rendered := x.render(nil, line.Text, signatureChars, x.lineBytes())
		above = fmt.Appendf(above, "%d=\t%s\n", number, rendered.text)
	}
	return above, nil
}

// continueHint returns how to continue a passage with a line. If it has a last line, the path of a
// block or of several paths names both lines.
func (x *requestedFile) continueHint(ctx context.Context, p passage, next int) string {
	isRange := 0 < next && next <= p.last
	isOne := x.call.PathCount == 1 && x.selected.block == 0
	if isRange && !isOne {
		rest := fmt.Sprintf("%s:%d-%d", x.shown, next, p.last)
		return "continue with " + wording.StringArgument(ctx, "path", rest)
	}
	return x.call.ContinueAt(ctx, x.shown, next)
}

// rangeText returns the part of the heading that tells which lines are shown.
func (x *requestedFile) rangeText(first, last int) string {
	n := last - first + 1
	switch {
	case first < 0:
		return fmt.Sprintf("lines %d to %d, counted from the end", first, last)
	case n == x.total:
		return wording.Counted(n, "line")
	case x.total > 0:
		return fmt.Sprintf("lines %s-%s of %s", wording.Grouped(first), wording.Grouped(last),
			wording.Grouped(x.total))
	default: // more lines follow
		return fmt.Sprintf("lines %s-%s of %s", wording.Grouped(first), wording.Grouped(last),
			wording.AtLeast(last+1, false))
	}
}

// leftText returns how many lines of a passage follow the last one that is shown.
func (x *requestedFile) leftText(p passage, last int) string {
	end := x.total
	switch {
	case last < 0:
		end = -1
	case end == 0:
		return "more lines follow"
	}
	if p.wanted != 0 {
		end = min(end, p.wanted)
	}
	return wording.Grouped(end-last) + " more"
}

// item returns a line as the section shows it.
func (x *requestedFile) item(
	ctx context.Context, l lines.Line,
) (item []byte, altered alterations, err error) {
	if x.selected.numbers {
		item = append(strconv.AppendInt(item, int64(l.Number), 10), '\t')
	}
	r := x.render(item, l.Text, maxLineChars, x.lineBytes())
	if r.used == len(l.Text) {
		return r.text, r.altered, nil
	}
	more, exact, err := x.charsFrom(ctx, l, int64(r.used))
	return fmt.Appendf(r.text, " [line cut at %s of %s characters; the rest: %s]",
		wording.Grouped(r.chars),
		wording.AtLeast(r.chars+more, exact),
		wording.ColumnArgument(ctx, x.shown, l.Number, r.chars+1)), r.altered, err
}

// lineBytes returns the maximum number of bytes shown of a line.
func (x *requestedFile) lineBytes() int { return max(x.budget.Minimum()/4, 1) }

// alterations counts the characters of the file that the result shows in another form.
type alterations struct{ escaped, invalid int }

func (a alterations) note() (note string) {
	if a.escaped > 0 {
		n := wording.Counted(a.escaped, "control character")
		note = fmt.Sprintf("[%s shown as an escape such as \\r]", n)
	}
	if a.invalid > 0 {
		n := wording.Counted(a.invalid, "byte")
		note = wording.JoinLines(note, fmt.Sprintf("[%s not UTF-8, shown as \ufffd]", n))
	}
	return note
}

// A rendering is the beginning of a line as a section shows it.
type rendering struct {
	text        []byte // after what was before it
	used, chars int    // bytes and characters of the line
	altered     alterations
}

// render appends at most maxChars characters and maxBytes bytes of a line to dst, but at least one
// character.
//
// If lines are numbered, control characters and the separators U+2028 and U+2029 are escaped as in
// Go's strings, because readers that treat them as the end of a line could treat the rest as a line
// with a number. Otherwise the text is unchanged. Each byte that is not UTF-8 becomes U+FFFD.
func (x *requestedFile) render(dst, line []byte, maxChars, maxBytes int) rendering {
	if len(line) <= min(maxChars, maxBytes) && isPlain(line) {
		return rendering{text: append(dst, line...), used: len(line), chars: len(line)}
	}
	rendered := rendering{text: dst}
	for rendered.used < len(line) && rendered.chars < maxChars {
		next, rest := rendered, line[rendered.used:]
		char, width := utf8.DecodeRune(rest)
		isControl := char != '\t' && unicode.In(char, unicode.Cc, unicode.Zl, unicode.Zp)
		switch {
		case char == utf8.RuneError && width == 1:
			next.text = append(next.text, "\ufffd"...)
			next.altered.invalid++
		case x.selected.numbers && isControl:
			next.text = text.AppendEscape(next.text, char)
			next.altered.escaped++
		default:
			next.text = append(next.text, rest[:width]...)
		}
		if len(next.text)-len(dst) > maxBytes && rendered.chars > 0 {
			break
		}
		next.used += width
		next.chars++
		rendered = next
	}
	return rendered
}

func isPlain(line []byte) bool {
	return !slices.ContainsFunc(line, func(c byte) bool {
		isPrintable := ' ' <= c && c <= '~'
		return !isPrintable && c != '\t'
	})
}
