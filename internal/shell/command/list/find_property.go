package list

import (
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
)

// A comparison is a number after "+" for more, "-" for less, or nothing.
type comparison struct {
	sign byte
	n    int64
}

func (p *finderParser) comparison(name, s string) comparison {
	c := comparison{}
	if s != "" && strings.IndexByte("+-", s[0]) >= 0 {
		c.sign = s[0]
		s = s[1:]
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		p.fail("invalid argument `%s' to `%s'", s, name)
	}
	c.n = n
	return c
}

func (c comparison) holds(n int64) bool {
	switch c.sign {
	case '+':
		return n > c.n
	case '-':
		return n < c.n
	}
	return n == c.n
}

// propertyTest parses a test of properties, or returns nil.
func (p *finderParser) propertyTest(name string) test {
	switch name {
	case "-type", "-xtype":
		return p.kindTest(name, p.value(name))
	case "-size":
		return p.sizeTest(p.value(name))
	case "-empty":
		return func(w *walking, e *found) bool { return w.isEmpty(e) }
	case "-perm":
		return p.modeTest(p.value(name))
	case "-samefile":
		file := p.value(name)
		return func(w *walking, e *found) bool { return w.isSame(e, file) }
	case "-readable", "-executable":
		bit := uint32(4)
		if name == "-executable" {
			bit = 1
		}
		return func(w *walking, e *found) bool { return w.permits(w.target(e), bit) }
	}
	if t := p.numberTest(name); t != nil {
		return t
	}
	return p.timeTest(name)
}

// permits reports whether a mode gives the process a permission.
func (o owners) permits(d workspace.Details, bit uint32) bool {
	isDirectory := d.Mode&typeMask == directory
	switch {
	case o.uid == "0":
		return bit == 4 || isDirectory || d.Mode&0o111 != 0
	case o.uid == strconv.FormatUint(uint64(d.UID), 10):
		return d.Mode&(bit<<6) != 0
	case o.gid == strconv.FormatUint(uint64(d.GID), 10):
		return d.Mode&(bit<<3) != 0
	}
	return d.Mode&bit != 0
}

// kindLetters are the letters of -type, and the types that they mean.
var kindLetters = map[byte]uint32{
	'f': regular, 'd': directory, 'l': symlink, 'p': fifo, 's': socket, 'b': blocks, 'c': charDevice,
}

func (p *finderParser) kindTest(name, letters string) test {
	kinds := make(map[uint32]bool)
	for letter := range strings.SplitSeq(letters, ",") {
		if len(letter) != 1 || kindLetters[letter[0]] == 0 {
			p.fail("Unknown argument to %s: %s", name, letters)
		}
		kinds[kindLetters[letter[0]]] = true
	}
	isOther := name == "-xtype"
	return func(w *walking, e *found) bool {
		if isOther {
			return kinds[w.otherMode(e)&typeMask]
		}
		return kinds[w.typeOf(e)]
	}
}

func (p *finderParser) sizeTest(s string) test {
	units := map[byte]int64{'c': 1, 'w': 2, 'b': 512, 'k': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}
	unit := int64(512)
	if s != "" && units[s[len(s)-1]] > 0 {
		unit = units[s[len(s)-1]]
		s = s[:len(s)-1]
	}
	c := p.comparison("-size", s)
	return func(w *walking, e *found) bool { return c.holds((w.info(e).Size + unit - 1) / unit) }
}

// numberTest parses a test of a number, or returns nil.
func (p *finderParser) numberTest(name string) test {
	of := map[string]func(d workspace.Details) int64{
		"-links": func(d workspace.Details) int64 { return int64(d.Links) },
		"-inum":  func(d workspace.Details) int64 { return int64(d.Inode) },
		"-uid":   func(d workspace.Details) int64 { return int64(d.UID) },
		"-user":  func(d workspace.Details) int64 { return int64(d.UID) },
		"-gid":   func(d workspace.Details) int64 { return int64(d.GID) },
		"-group": func(d workspace.Details) int64 { return int64(d.GID) },
	}[name]
	if of == nil {
		return nil
	}
	value := p.value(name)
	names := map[string]map[uint32]string{"-user": p.users, "-group": p.groups}[name]
	for id, known := range names {
		if known == value {
			value = strconv.FormatUint(uint64(id), 10)
		}
	}
	if _, err := strconv.ParseUint(value, 10, 32); names != nil && err != nil {
		p.refuse("find %s %s: this name is not known here; use a number", name, value)
	}
	c := p.comparison(name, value)
	return func(w *walking, e *found) bool { return c.holds(of(w.details(e))) }
}

// modeTest parses the argument of -perm.
func (p *finderParser) modeTest(s string) test {
	kind := byte(0)
	if s != "" && strings.IndexByte("-/", s[0]) >= 0 {
		kind = s[0]
		s = s[1:]
	}
	bits, err := strconv.ParseUint(s, 8, 12)
	if err != nil {
		bits = uint64(p.symbolicMode(s))
	}
	want := uint32(bits)
	return func(w *walking, e *found) bool {
		mode := w.details(e).Mode & 0o7777
		switch kind {
		case '-':
			return mode&want == want
		case '/':
			return mode&want != 0 || want == 0
		}
		return mode == want
	}
}

// symbolicMode returns the bits of a mode such as u+x,g=r.
func (p *finderParser) symbolicMode(s string) (mode uint32) {
	for clause := range strings.SplitSeq(s, ",") {
		who, what, ok := strings.Cut(strings.ReplaceAll(clause, "=", "+"), "+")
		if !ok || strings.Trim(who, "ugoa") != "" || strings.Trim(what, "rwxst") != "" {
			p.refuse("find -perm %s: this mode is not supported; write it in octal", s)
		}
		if who == "" || strings.Contains(who, "a") {
			who = "ugo"
		}
		for _, w := range who {
			shift := map[rune]uint{'u': 6, 'g': 3, 'o': 0}[w]
			for _, bit := range what {
				switch bit {
				case 's':
					mode |= map[rune]uint32{'u': 0o4000, 'g': 0o2000}[w]
				case 't':
					mode |= 0o1000
				default:
					mode |= map[rune]uint32{'r': 4, 'w': 2, 'x': 1}[bit] << shift
				}
			}
		}
	}
	return mode
}

// timeOf returns the time of an entry that a letter stands for: a, c, m or B.
func (w *walking) timeOf(e *found, letter byte) time.Time {
	switch letter {
	case 'm':
		return w.info(e).ModTime
	case 'a':
		return w.details(e).Accessed
	case 'c':
		return w.details(e).Changed
	}
	return w.details(e).Created
}

// timeTest parses a test of a time, or returns nil.
func (p *finderParser) timeTest(name string) test {
	if len(name) < 2 {
		return nil
	}
	letter := name[1]
	switch name {
	case "-mtime", "-atime", "-ctime":
		return p.ageTest(name, letter, 24*time.Hour)
	case "-mmin", "-amin", "-cmin":
		return p.ageTest(name, letter, time.Minute)
	case "-newer":
		return p.newerTest('m', 'm', p.value(name))
	case "-anewer", "-cnewer":
		return p.newerTest(letter, 'm', p.value(name))
	}
	xy, ok := strings.CutPrefix(name, "-newer")
	isPair := ok && len(xy) == 2
	if !isPair || strings.IndexByte("aBcm", xy[0]) < 0 || strings.IndexByte("aBcmt", xy[1]) < 0 {
		return nil
	}
	return p.newerTest(xy[0], xy[1], p.value(name))
}

// ageTest parses the argument of -mtime, or of -mmin, whose units are minutes.
func (p *finderParser) ageTest(name string, letter byte, unit time.Duration) test {
	c := p.comparison(name, p.value(name))
	return func(w *walking, e *found) bool {
		age := w.now.Sub(w.timeOf(e, letter))
		units := int64(age / unit)
		if age < 0 {
			units--
		}
		isWhole := age%unit == 0
		if unit == time.Minute && c.sign != '-' && !isWhole {
			units++ // -mmin counts each minute that has begun
		}
		return c.holds(units)
	}
}

func (p *finderParser) newerTest(of, other byte, value string) test {
	if other == 't' {
		at, ok := parseTime(value, time.Now())
		if !ok {
			p.refuse("find -newer%ct %s: this form of a date is not supported; use 2026-01-31", of, value)
		}
		return func(w *walking, e *found) bool { return w.timeOf(e, of).After(at) }
	}
	return func(w *walking, e *found) bool {
		d, ok := w.reference(value)
		return ok && w.timeOf(e, of).After(timeOfDetails(d, other))
	}
}

func timeOfDetails(d workspace.Details, letter byte) time.Time {
	return map[byte]time.Time{'m': d.ModTime, 'a': d.Accessed, 'c': d.Changed, 'B': d.Created}[letter]
}

// parseTime parses a date, also a relative one such as "2 days ago".
func parseTime(s string, now time.Time) (time.Time, bool) {
	for _, layout := range []string{
		time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04:05", time.RFC3339,
	} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, true
		}
	}
	year, month, day := now.Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, time.Local)
	switch s {
	case "now":
		return now, true
	case "today":
		return now, true
	case "yesterday":
		return now.AddDate(0, 0, -1), true
	case "midnight":
		return today, true
	}
	if digits, ok := strings.CutPrefix(s, "@"); ok {
		seconds, err := strconv.ParseInt(digits, 10, 64)
		return time.Unix(seconds, 0), err == nil
	}
	words := strings.Fields(strings.TrimPrefix(s, "-"))
	isAgo := len(words) == 3 && words[2] == "ago" || len(words) == 2 && strings.HasPrefix(s, "-")
	if !isAgo {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(words[0])
	unit, ok := map[string]time.Duration{
		"second": time.Second, "sec": time.Second, "minute": time.Minute, "min": time.Minute,
		"hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour,
	}[strings.TrimSuffix(words[1], "s")]
	return now.Add(-time.Duration(n) * unit), err == nil && ok
}
