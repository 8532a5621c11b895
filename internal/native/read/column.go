package read

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/native/section"
	"gander/internal/native/wording"
)

const (
	keptBytes     = 4*maxLineChars + 4 // the maximum size of a line that a cursor returns
	partBytes     = 128 << 10          // read of a long line at a time
	measuredBytes = 16 << 20           // read at most to find the end of a long line
)

// nextLongLine returns the next line if a page would cut it. For a shorter line it reports false
// and does not move: the column is usually from the message of a compiler, and a page shows such a
// line whole.
func (x *requestedFile) nextLongLine(ctx context.Context) (l lines.Line, isLong bool, err error) {
	before := x.cursor.Position()
	l, err = x.cursor.Next(ctx)
	if err != nil {
		return l, false, err
	}
	isLong = x.render(nil, l.Text, maxLineChars, x.lineBytes()).used < len(l.Text)
	if !isLong {
		x.cursor.Move(before)
	}
	return l, isLong, nil
}

// columnSection returns the section with the part of a line that begins at the requested column.
func (x *requestedFile) columnSection(ctx context.Context, l lines.Line) (section.Section, error) {
	offset, before, err := x.skipChars(ctx, l, x.selected.column-1)
	if err != nil {
		return section.Section{}, err
	}
	rest, err := x.rest(ctx, l, offset)
	if err != nil {
		return section.Section{}, err
	}
	left, exact, err := x.charsFrom(ctx, l, offset)
	if err != nil {
		return section.Section{}, err
	}
	heading := fmt.Sprintf("%s: line %s", x.title, wording.Grouped(l.Number))
	if left == 0 {
		heading += fmt.Sprintf(" has %s characters, none at %s", wording.Grouped(before),
			wording.Grouped(x.selected.column))
		return section.Section{Heading: heading}, nil
	}
	total := before + left
	return x.budget.Largest(utf8.RuneCount(rest), func(n int) section.Section {
		last := before + n
		s := section.Section{Items: 1, Truncated: last < total || !exact}
		s.Heading = fmt.Sprintf("%s, characters %s-%s of %s", heading,
			wording.Grouped(x.selected.column), wording.Grouped(last), wording.AtLeast(total, exact))
		if x.selected.numbers {
			s.Body = strconv.Itoa(l.Number) + "\t"
		}
		rendered := x.render(nil, rest, n, math.MaxInt)
		s.Body += string(rendered.text)
		if last < total {
			next := wording.ColumnArgument(ctx, x.shown, l.Number, last+1)
			s = s.WithHint(wording.Grouped(total-last)+" more characters", "continue with "+next)
		}
		s.Markers = wording.JoinLines(s.Markers, rendered.altered.note())
		return s
	}), nil
}

// rest returns the text of a line from an offset on. It stops when that exceeds the budget.
func (x *requestedFile) rest(
	ctx context.Context, l lines.Line, offset int64,
) (text []byte, err error) {
	for x.budget.Fits(section.Size{Bytes: len(text), Chars: len(text) / utf8.UTFMax}) {
		part, err := x.part(ctx, l, offset+int64(len(text)))
		if err != nil || len(part) == 0 {
			return text, err
		}
		text = append(text, part...)
	}
	return text, nil
}

// skipChars returns the offset in a line after its first n characters, or its end if it has fewer,
// and the number of characters before it.
func (x *requestedFile) skipChars(
	ctx context.Context, l lines.Line, n int,
) (offset int64, skipped int, err error) {
	for skipped < n {
		part, err := x.part(ctx, l, offset)
		if err != nil || len(part) == 0 {
			return offset, skipped, err
		}
		chars := utf8.RuneCount(part)
		for ; chars > n-skipped; chars-- {
			_, width := utf8.DecodeLastRune(part)
			part = part[:len(part)-width]
		}
		skipped += chars
		offset += int64(len(part))
	}
	return offset, skipped, nil
}

// charsFrom returns the number of characters of a line from an offset on. It stops after
// measuredBytes, and reports then that the number is not exact.
func (x *requestedFile) charsFrom(
	ctx context.Context, l lines.Line, offset int64,
) (n int, exact bool, err error) {
	end := offset + measuredBytes
	for offset < end {
		part, err := x.part(ctx, l, offset)
		if err != nil || len(part) == 0 {
			return n, true, err
		}
		n += utf8.RuneCount(part)
		offset += int64(len(part))
	}
	return n, false, nil
}

// part returns the part of a line that begins at an offset. It ends at a character boundary, and is
// empty only at the end of the line. It becomes invalid when a cursor method is called.
func (x *requestedFile) part(ctx context.Context, l lines.Line, offset int64) ([]byte, error) {
	b, err := x.cursor.Part(ctx, l, offset, partBytes)
	whole := text.WholeCharacters(b)
	if whole > 0 {
		b = b[:whole] // unless the line ends in it, the last character is in the next part
	}
	return b, err
}
