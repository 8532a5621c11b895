package order

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"gander/internal/shell/command"
)

// An ordering says how keys are compared.
type ordering struct {
	by                    byte // n or h for other than text
	blanks, fold, reverse bool
}

// set sets an ordering option. It reports whether that is possible.
func (o *ordering) set(letter byte) bool {
	switch letter {
	case 'b':
		o.blanks = true
	case 'f':
		o.fold = true
	case 'r':
		o.reverse = true
	case 'n', 'h':
		if o.by != 0 && o.by != letter {
			return false
		}
		o.by = letter
	default:
		return false
	}
	return true
}

// A key is the part of a line from one field and character to another, counted from 0.
type key struct {
	ordering
	separator           int // -1: blanks
	startField, startAt int
	endField, endAt     int // endAt is 0 for the whole field
	hasEnd, endBlanks   bool
}

// keyForm matches a key: where it begins, its options, where it ends, and what is wrong.
var keyForm = regexp.MustCompile(
	`(?s)^([0-9]*)(?:(\.)([0-9]*))?([bfrnh]*)(?:(,)([0-9]*)(?:(\.)([0-9]*))?([bfrnh]*))?(.*)$`)

func (s *sorter) addKey(spec string) error {
	parts := keyForm.FindStringSubmatch(spec)
	var n [4]int // the fields and characters where it begins and ends
	for i, at := range []int{1, 3, 6, 8} {
		n[i] = parseCount(parts[at])
	}
	invalid := func(problem, text string) error {
		return fmt.Errorf("%s: invalid count at start of ‘%s’", problem, text)
	}
	wrong := func(problem string) error {
		return fmt.Errorf("%s: invalid field specification ‘%s’", problem, spec)
	}
	k := key{hasEnd: parts[5] != "", endField: n[2] - 1, endAt: n[3]}
	_, after, _ := strings.Cut(spec, ",")
	switch {
	case parts[1] == "":
		return invalid("invalid number at field start", spec)
	case n[0] == 0:
		return wrong("field number is zero")
	case parts[2] != "" && n[1] == 0:
		return wrong("character offset is zero")
	case k.hasEnd && parts[6] == "":
		return invalid("invalid number after ‘,’", after)
	case k.hasEnd && n[2] == 0:
		return wrong("field number is zero")
	case parts[7] != "" && parts[8] == "":
		_, after, _ = strings.Cut(after, ".")
		return invalid("invalid number after ‘.’", after)
	}
	k.startField, k.startAt = n[0]-1, max(n[1]-1, 0)
	if parts[10] != "" || !k.setAll(parts[4], &k.blanks) || !k.setAll(parts[9], &k.endBlanks) {
		return command.Refuse("sort -k %s: of letters, only b, f, r, and h or n are available here", spec)
	}
	s.keys = append(s.keys, k)
	return nil
}

// setAll sets options, of which b sets blanks. It reports whether that is possible.
func (k *key) setAll(letters string, blanks *bool) bool {
	for _, letter := range []byte(letters) {
		if letter == 'b' {
			*blanks = true
		} else if !k.set(letter) {
			return false
		}
	}
	return true
}

// parseCount returns the number that digits mean, which is bounded.
func parseCount(digits string) (n int) {
	for _, digit := range []byte(digits) {
		n = min(10*n+int(digit-'0'), 1<<30)
	}
	return n
}

// of returns the key of a line.
func (k *key) of(line []byte) []byte {
	start := skipFields(line, k.startField, k.separator)
	if k.blanks {
		start = skipBlanks(line, start)
	}
	start = min(len(line), start+k.startAt)
	if !k.hasEnd {
		return line[start:]
	}
	end := 0
	if k.endAt == 0 {
		end = skipFields(line, k.endField+1, k.separator)
		hasSeparator := k.separator >= 0 && end > 0 && line[end-1] == byte(k.separator)
		if hasSeparator && bytes.Count(line[:end], []byte{byte(k.separator)}) == k.endField+1 {
			end--
		}
	} else {
		end = skipFields(line, k.endField, k.separator)
		if k.endBlanks {
			end = skipBlanks(line, end)
		}
		end = min(len(line), end+k.endAt)
	}
	return line[start:max(start, end)]
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

func skipBlanks(line []byte, i int) int {
	for i < len(line) && isBlank(line[i]) {
		i++
	}
	return i
}

// skipFields returns the offset behind n fields and their separators.
func skipFields(line []byte, n, separator int) int {
	i := 0
	for ; n > 0 && i < len(line); n-- {
		if separator < 0 {
			i = skipBlanks(line, i)
			for i < len(line) && !isBlank(line[i]) {
				i++
			}
			continue
		}
		j := bytes.IndexByte(line[i:], byte(separator))
		if j < 0 {
			return len(line)
		}
		i += j + 1
	}
	return i
}

func (k *key) compare(a, b []byte) (n int) {
	a, b = k.of(a), k.of(b)
	switch {
	case k.by == 'n':
		n = compareNumbers(a, b)
	case k.by == 'h':
		n = cmp.Or(cmp.Compare(unitOf(a), unitOf(b)), compareNumbers(a, b))
	case k.fold:
		n = compareFolded(a, b)
	default:
		n = bytes.Compare(a, b)
	}
	if k.reverse {
		return -n
	}
	return n
}

func compareFolded(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if n := cmp.Compare(upper(a[i]), upper(b[i])); n != 0 {
			return n
		}
	}
	return cmp.Compare(len(a), len(b))
}

// upper returns an ASCII letter in upper case, and other bytes as they are.
func upper(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

// A number is a decimal number of any length.
type number struct {
	negative        bool
	whole, fraction []byte // without zeros at the beginning or end
}

// parseNumber parses the number at the beginning of a key.
func parseNumber(b []byte) (n number, rest []byte) {
	b = b[skipBlanks(b, 0):]
	b, n.negative = bytes.CutPrefix(b, []byte("-"))
	rest = bytes.TrimLeft(b, "0123456789")
	n.whole = bytes.TrimLeft(b[:len(b)-len(rest)], "0")
	if fraction, ok := bytes.CutPrefix(rest, []byte(".")); ok {
		rest = bytes.TrimLeft(fraction, "0123456789")
		n.fraction = bytes.TrimRight(fraction[:len(fraction)-len(rest)], "0")
	}
	if len(n.whole)+len(n.fraction) == 0 {
		n.negative = false
	}
	return n, rest
}

func compareNumbers(a, b []byte) int {
	x, _ := parseNumber(a)
	y, _ := parseNumber(b)
	switch {
	case x.negative && !y.negative:
		return -1
	case !x.negative && y.negative:
		return 1
	}
	n := cmp.Or(cmp.Compare(len(x.whole), len(y.whole)), bytes.Compare(x.whole, y.whole),
		bytes.Compare(x.fraction, y.fraction))
	if x.negative {
		return -n
	}
	return n
}

// unitOf returns the order of the unit behind a number, negative for a negative number.
func unitOf(b []byte) int {
	n, rest := parseNumber(b)
	if len(n.whole)+len(n.fraction) == 0 || len(rest) == 0 {
		return 0
	}
	unit := strings.IndexByte("KMGTPEZY", rest[0]) + 1
	if rest[0] == 'k' {
		unit = 1
	}
	if n.negative {
		return -unit
	}
	return unit
}
