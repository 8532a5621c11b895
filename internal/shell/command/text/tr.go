package text

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// A translation is what tr does with each byte.
type translation struct {
	to       [256]int // -1 for what is deleted
	squeezed [256]bool
}

func prepareTr(a command.Arguments) (_ command.Run, err error) {
	isDelete, isSqueeze, isComplement := a.Has("-d"), a.Has("-s"), a.Has("-c", "-C")
	problem := ""
	switch n := len(a.Operands); {
	case n == 0:
		return nil, a.MissingOperand()
	case n > 2:
		return nil, a.ExtraOperand(2)
	case n == 1 && isDelete && isSqueeze:
		problem = "Two strings must be given when both deleting and squeezing repeats."
	case n == 1 && !isDelete && !isSqueeze:
		problem = "Two strings must be given when translating."
	case n == 2 && isDelete && !isSqueeze:
		return nil, command.UsageError(a.ExtraOperand(1).Error() +
			"\nOnly one string may be given when deleting without squeezing repeats.")
	}
	if problem != "" {
		return nil, command.UsageError(a.MissingOperand().Error() + "\n" + problem)
	}
	var sets [2]set
	for i, text := range a.Operands {
		if sets[i], err = parseSet(text); err != nil {
			return nil, err
		}
		if i == 0 && isComplement {
			sets[0].bytes = others(sets[0].bytes)
		}
	}
	first, last := sets[0], sets[len(a.Operands)-1]
	var t translation
	for b := range t.to {
		t.to[b] = b
	}
	if !isDelete && len(a.Operands) == 2 {
		if isComplement && (first.hasClass || last.hasClass) && len(last.bytes) != 1 {
			return nil, command.Refuse("tr -c: only one character can replace a class here; use sed")
		}
		err = t.translate(first, last)
	}
	if isDelete {
		for _, b := range first.bytes {
			t.to[b] = -1
		}
	}
	if isSqueeze {
		for _, b := range last.bytes {
			t.squeezed[b] = true
		}
	}
	return func(_ context.Context, c *command.Call) int { return t.run(c) }, err
}

// others returns all bytes that are not in a set.
func others(members []byte) (rest []byte) {
	for b := range 256 {
		if bytes.IndexByte(members, byte(b)) < 0 {
			rest = append(rest, byte(b))
		}
	}
	return rest
}

func (t *translation) translate(from, to set) error {
	switch {
	case to.hasOtherClass:
		return errors.New("when translating, the only character classes that may appear in\n" +
			"string2 are 'upper' and 'lower'")
	case to.hasClass && !slices.Equal(from.cases, to.cases):
		return command.Refuse("tr: classes at different places are not available here; use a-z and A-Z")
	case len(to.bytes) == 0 && len(from.bytes) > 0:
		return errors.New("when not truncating set1, string2 must be non-empty")
	case to.hasClass && len(from.bytes) != len(to.bytes):
		return command.Refuse("tr: the sets have classes and different lengths; make them equal")
	}
	for i, b := range from.bytes {
		t.to[b] = int(to.bytes[min(i, len(to.bytes)-1)])
	}
	return nil
}

func (t *translation) run(c *command.Call) int {
	last := -1 // the last byte that was written, if it is squeezed
	var out []byte
	for {
		c.Account.Tick()
		in, err := c.In.Take()
		out = out[:0]
		for _, b := range in {
			to := t.to[b]
			if to < 0 || to == last {
				continue
			}
			if last = -1; t.squeezed[to] {
				last = to
			}
			out = append(out, byte(to))
		}
		c.Out.Write(out)
		if err == io.EOF {
			return 0
		}
		if err != nil {
			c.Errorf("read error: %s", command.Message(err))
			return 1
		}
	}
}

// A set is a set of tr in its order.
type set struct {
	bytes                   []byte
	cases                   []int // where [:lower:] or [:upper:] begin
	hasClass, hasOtherClass bool  // other than those two
}

// notHere matches the parts of a set that are not available: [x*9] and [=x=]. The real tr rejects
// the first with anything but digits.
var notHere = regexp.MustCompile(`(?s)\[(\\[0-7]{1,3}|\\?.)\*[^\]]*\]|\[=.*=\]`)

func parseSet(s string) (result set, err error) {
	if found := notHere.FindString(s); found != "" {
		return result, command.Refuse("tr %s: not available here; write the characters", found)
	}
	for s != "" {
		if inner, ok := strings.CutPrefix(s, "[:"); ok && strings.Contains(inner, ":]") {
			class, rest, _ := strings.Cut(inner, ":]")
			members := regex.Class(class)
			if members == nil || class[0] == '\\' { // which is none of tr
				return set{}, fmt.Errorf("invalid character class ‘%s’", class)
			}
			result.hasClass = true
			if class == "lower" || class == "upper" {
				result.cases = append(result.cases, len(result.bytes))
			} else {
				result.hasOtherClass = true
			}
			for b := range utf8.RuneSelf {
				if members.Contains(rune(b)) {
					result.bytes = append(result.bytes, byte(b))
				}
			}
			s = rest
			continue
		}
		low, rest := cutByte(s)
		high := low
		if len(rest) > 1 && rest[0] == '-' {
			high, rest = cutByte(rest[1:])
		}
		if high < low {
			return set{}, fmt.Errorf("range-endpoints of '%s' are in reverse collating sequence order",
				s[:len(s)-len(rest)])
		}
		for b := int(low); b <= int(high); b++ {
			result.bytes = append(result.bytes, byte(b))
		}
		s = rest
	}
	return result, nil
}

// cutByte cuts a byte, which may be escaped.
func cutByte(s string) (b byte, rest string) {
	if s[0] != '\\' || len(s) == 1 {
		return s[0], s[1:]
	}
	if i := strings.IndexByte(`abfnrtv`, s[1]); i >= 0 {
		return "\a\b\f\n\r\t\v"[i], s[2:]
	}
	n, digits := 0, 0
	for digits < 3 && digits+1 < len(s) {
		digit := s[1+digits]
		if digit < '0' || digit > '7' || n*8+int(digit-'0') > 255 {
			break
		}
		n = n*8 + int(digit-'0')
		digits++
	}
	if digits == 0 {
		return s[1], s[2:]
	}
	return byte(n), s[1+digits:]
}
