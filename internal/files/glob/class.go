package glob

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
)

// normalize rewrites an alternative for the matcher: no class matches a slash, a class of a single character is that
// character, and with fold the pattern matches paths mapped with [text.Fold].
func normalize(a string, fold bool) (string, error) {
	var out strings.Builder
	for i := 0; i < len(a); {
		switch {
		case a[i] == '[':
			end := itemEnd(a, i)
			c, err := parseClass(a[i+1:end-1], fold)
			if err != nil {
				return "", err
			}
			c.write(&out)
			i = end
		case a[i] == '\\' && (a[i+1] == '/' || a[i+1] >= utf8.RuneSelf): // quoting changes nothing
			i++
		case a[i] == '\\':
			out.WriteString(a[i : i+2])
			i += 2
		default:
			r, size := utf8.DecodeRuneInString(a[i:])
			if fold && (r != utf8.RuneError || size > 1) {
				out.WriteRune(text.FoldRune(r))
			} else {
				out.WriteString(a[i : i+size])
			}
			i += size
		}
	}
	return out.String(), nil
}

// A class is the set of characters in brackets.
type class struct {
	negated bool
	ranges  []runeRange
}

type runeRange struct{ low, high rune }

// parseClass parses what is between the brackets.
func parseClass(body string, fold bool) (class, error) {
	c := class{negated: body[0] == '!' || body[0] == '^'}
	if c.negated {
		body = body[1:]
		c.ranges = []runeRange{{'/', '/'}}
	}
	next := func() rune {
		body = strings.TrimPrefix(body, `\`)
		r, size := utf8.DecodeRuneInString(body)
		body = body[size:]
		return r
	}
	for body != "" {
		low := next()
		high := low
		if len(body) > 1 && body[0] == '-' {
			body = body[1:]
			if high = next(); high < low {
				return c, fmt.Errorf("the range %c-%c is reversed", low, high)
			}
		}
		c.add(low, high, fold)
	}
	if len(c.ranges) == 0 {
		return c, errors.New("a class that holds only a slash matches nothing")
	}
	return c, nil
}

// add adds a range, without the slash.
func (c *class) add(low, high rune, fold bool) {
	switch {
	case low == '/' && high == '/':
	case low <= '/' && '/' <= high:
		if low < '/' {
			c.add(low, '/'-1, fold)
		}
		if '/' < high {
			c.add('/'+1, high, fold)
		}
	case fold && low == high:
		c.put(text.FoldRune(low), text.FoldRune(low))
	case fold:
		c.put(low, high)
		c.put(max(low, 'A')+'a'-'A', min(high, 'Z')+'a'-'A')
		c.put(text.FoldRune(low), text.FoldRune(high))
	default:
		c.put(low, high)
	}
}

// put adds a range as it is, unless it is empty or there already.
func (c *class) put(low, high rune) {
	if r := (runeRange{low, high}); low <= high && !slices.Contains(c.ranges, r) {
		c.ranges = append(c.ranges, r)
	}
}

// write writes the class as a pattern.
func (c *class) write(out *strings.Builder) {
	if !c.negated && len(c.ranges) == 1 && c.ranges[0].low == c.ranges[0].high {
		writeQuoted(out, c.ranges[0].low)
		return
	}
	out.WriteByte('[')
	if c.negated {
		out.WriteByte('^')
	}
	for _, r := range c.ranges {
		writeQuoted(out, r.low)
		if r.low < r.high {
			out.WriteByte('-')
			writeQuoted(out, r.high)
		}
	}
	out.WriteByte(']')
}

func writeQuoted(out *strings.Builder, r rune) {
	if r < utf8.RuneSelf && !isAlphanumeric(byte(r)) {
		out.WriteByte('\\')
	}
	out.WriteRune(r)
}
