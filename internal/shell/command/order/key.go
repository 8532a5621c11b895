package order

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gander/internal/shell/command/version"
)

// An ordering says how keys are compared.
type ordering struct {
	by                                           byte // n, g, h, M or V for other than text
	second                                       byte // a conflicting one
	blanks, dictionary, fold, printable, reverse bool
}

// set sets an ordering option. It reports whether there is such an option.
func (o *ordering) set(letter byte) bool {
	switch letter {
	case 'b':
		o.blanks = true
	case 'd':
		o.dictionary = true
	case 'f':
		o.fold = true
	case 'i':
		o.printable = true
	case 'r':
		o.reverse = true
	case 'n', 'g', 'h', 'M', 'V':
		if o.by != 0 && o.by != letter {
			o.second = o.by
		}
		o.by = letter
	default:
		return false
	}
	return true
}

// conflict returns options that exclude each other.
func (o *ordering) conflict() string {
	letters := []byte{o.by, o.second}
	if o.second == 0 && (o.dictionary || o.printable) && o.by != 0 && o.by != 'V' {
		letters[1] = 'd'
		if !o.dictionary {
			letters[1] = 'i'
		}
	}
	if letters[1] == 0 {
		return ""
	}
	if strings.IndexByte("dghMniV", letters[0]) > strings.IndexByte("dghMniV", letters[1]) {
		letters[0], letters[1] = letters[1], letters[0]
	}
	return string(letters)
}

// A key is the part of a line from one field and character to another, counted from 0.
type key struct {
	ordering
	separator           int // -1: blanks
	startField, startAt int
	endField, endAt     int // endAt is 0 for the whole field
	hasEnd, endBlanks   bool
}

func (s *sorter) addKey(spec string) error {
	k := key{}
	rest := spec
	wrong := func(problem string) error {
		return fmt.Errorf("%s: invalid field specification ‘%s’", problem, spec)
	}
	field, rest, ok := parseCount(rest)
	if !ok {
		return fmt.Errorf("invalid number at field start: invalid count at start of ‘%s’", spec)
	}
	if field == 0 {
		return wrong("field number is zero")
	}
	k.startField = field - 1
	if strings.HasPrefix(rest, ".") {
		k.startAt, rest, ok = parseCount(rest[1:])
		if !ok || k.startAt == 0 {
			return wrong("character offset is zero")
		}
		k.startAt--
	}
	rest = k.flags(rest, &k.blanks)
	if strings.HasPrefix(rest, ",") {
		k.endField, rest, ok = parseCount(rest[1:])
		if !ok {
			return fmt.Errorf("invalid number after ‘,’: invalid count at start of ‘%s’", rest)
		}
		if k.endField == 0 {
			return wrong("field number is zero")
		}
		k.endField--
		k.hasEnd = true
		if strings.HasPrefix(rest, ".") {
			k.endAt, rest, ok = parseCount(rest[1:])
			if !ok {
				return fmt.Errorf("invalid number after ‘.’: invalid count at start of ‘%s’", rest)
			}
		}
		rest = k.flags(rest, &k.endBlanks)
	}
	if rest != "" {
		return wrong("stray character in field spec")
	}
	s.keys = append(s.keys, k)
	return nil
}

// flags sets the options at the beginning of s. b sets blanks.
func (k *key) flags(s string, blanks *bool) (rest string) {
	for s != "" {
		if s[0] == 'b' {
			*blanks = true
		} else if !k.set(s[0]) {
			break
		}
		s = s[1:]
	}
	return s
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

func (k *key) compare(a, b []byte) int {
	a, b = k.of(a), k.of(b)
	n := k.compareKeys(a, b)
	if k.reverse {
		return -n
	}
	return n
}

func (k *key) compareKeys(a, b []byte) int {
	switch k.by {
	case 'n':
		return compareNumbers(a, b)
	case 'h':
		return cmp.Or(cmp.Compare(unitOf(a), unitOf(b)), compareNumbers(a, b))
	case 'g':
		x, y := generalNumber(a), generalNumber(b)
		return cmp.Or(cmp.Compare(x.class, y.class), cmp.Compare(x.value, y.value))
	case 'M':
		return cmp.Compare(month(a), month(b))
	case 'V':
		return version.Compare(k.text(a), k.text(b))
	}
	if k.fold || k.dictionary || k.printable {
		return k.compareText(a, b)
	}
	return bytes.Compare(a, b)
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
	if x.negative != y.negative {
		return map[bool]int{true: -1, false: 1}[x.negative]
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

// A general is a number with an exponent. Its class orders what is no number and NaN before others.
type general struct {
	class int
	value float64
}

// maxGeneral is the longest number that sort -g reads.
const maxGeneral = 64

func generalNumber(b []byte) general {
	s := strings.TrimLeft(string(b[:min(len(b), maxGeneral)]), " \t\n\v\f\r")
	for n := len(s); n > 0; n-- {
		if strings.Contains(s[:n], "_") {
			continue
		}
		f, err := strconv.ParseFloat(s[:n], 64)
		if err != nil && !math.IsInf(f, 0) {
			continue
		}
		if math.IsNaN(f) {
			return general{class: 1}
		}
		return general{2, f}
	}
	return general{}
}

func month(b []byte) int {
	b = b[skipBlanks(b, 0):]
	if len(b) < 3 {
		return 0
	}
	const months = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
	at := strings.Index(months, strings.ToUpper(string(b[:3])))
	if at < 0 || at%3 != 0 {
		return 0
	}
	return at/3 + 1
}

// compareText compares without what is ignored.
func (k *key) compareText(a, b []byte) int {
	for {
		x, restA := k.next(a)
		y, restB := k.next(b)
		if x != y || x < 0 {
			return cmp.Compare(x, y)
		}
		a, b = restA, restB
	}
}

// text returns a key as it is compared.
func (k *key) text(b []byte) string {
	if !k.fold && !k.dictionary && !k.printable {
		return string(b)
	}
	var text []byte
	for {
		c, rest := k.next(b)
		if c < 0 {
			return string(text)
		}
		text, b = append(text, byte(c)), rest
	}
}

// next returns the next byte that is compared, or -1 at the end.
func (k *key) next(b []byte) (int, []byte) {
	for i, c := range b {
		isLower := c >= 'a' && c <= 'z'
		isText := isLower || isBlank(c) || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z'
		isIgnored := k.dictionary && !isText || k.printable && (c < ' ' || c > '~')
		switch {
		case isIgnored:
			continue
		case k.fold && isLower:
			c -= 'a' - 'A'
		}
		return int(c), b[i+1:]
	}
	return -1, nil
}
