package list

import (
	"cmp"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
)

// info returns the size and time of an entry.
func (f *finder) info(e *candidate) workspace.Info {
	if e.info == nil && e.entry.Dir != nil {
		info, err := e.entry.Lstat()
		if err == nil {
			e.info = &info
		}
	}
	if e.info == nil {
		return f.describe(e).Info
	}
	return *e.info
}

// describe returns all properties of an entry.
func (f *finder) describe(e *candidate) workspace.Details {
	if e.details == nil {
		d, err := describe(f.ctx, f.c, e.path, false)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.report(e.path, err)
		}
		e.info, e.details = &d.Info, &d
	}
	return *e.details
}

// typeOf returns the type of an entry, as in a mode.
func (f *finder) typeOf(e *candidate) uint32 {
	switch e.kind {
	case workspace.Regular:
		return regular
	case workspace.Directory:
		return directory
	case workspace.Symlink:
		return symlink
	}
	return f.describe(e).Mode & typeMask
}

// isEmpty reports whether a file or directory is empty.
func (f *finder) isEmpty(e *candidate) bool {
	switch f.typeOf(e) {
	case regular:
		return f.info(e).Size == 0
	case directory:
		d, err := f.c.Files.Directory(f.ctx, e.path)
		if err != nil {
			f.report(e.path, err)
			return false
		}
		defer d.Close()
		isEmpty := true
		err = d.Names(f.ctx, func([]byte, workspace.EntryKind) bool {
			isEmpty = false
			return false
		})
		return isEmpty && err == nil
	}
	return false
}

// A comparison is a number after "+" for more, "-" for less, or nothing.
type comparison struct {
	sign byte
	n    int64
}

func (f *finder) comparison(name, s string) comparison {
	c := comparison{}
	if s != "" && strings.IndexByte("+-", s[0]) >= 0 {
		c.sign = s[0]
		s = s[1:]
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		f.fail("invalid argument `%s' to `%s'", s, name)
	}
	c.n = n
	return c
}

// holds reports whether n compares so with the number.
func (c comparison) holds(n int64) bool {
	switch c.sign {
	case '+':
		return n > c.n
	case '-':
		return n < c.n
	}
	return n == c.n
}

// letterOf returns the letter of the type of an entry, as -type takes it.
func (f *finder) letterOf(e *candidate) byte {
	letter := typeNames[f.typeOf(e)].letter
	if letter == '-' {
		return 'f'
	}
	return cmp.Or(letter, 'U')
}

func (f *finder) typeTest(name string) test {
	letters := f.value(name)
	for letter := range strings.SplitSeq(letters, ",") {
		if len(letter) != 1 || !strings.Contains("bcdflps", letter) {
			f.fail("Unknown argument to -type: %s", letters)
		}
	}
	return func(e *candidate) bool { return strings.IndexByte(letters, f.letterOf(e)) >= 0 }
}

func (f *finder) sizeTest(name string) test {
	s := f.value(name)
	units := map[byte]int64{'c': 1, 'w': 2, 'b': 512, 'k': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}
	unit := int64(512)
	if s != "" && units[s[len(s)-1]] > 0 {
		unit = units[s[len(s)-1]]
		s = s[:len(s)-1]
	}
	c := f.comparison(name, s)
	return func(e *candidate) bool { return c.holds((f.info(e).Size + unit - 1) / unit) }
}

// ageTest compiles -mtime, or -mmin, whose units are minutes.
func (f *finder) ageTest(name string) test {
	unit := 24 * time.Hour
	if name == "-mmin" {
		unit = time.Minute
	}
	value := f.value(name)
	if strings.Contains(value, ".") || len(value) > 18 || value == "-0" {
		f.refuse("%s %s: only whole numbers are available here", name, value)
	}
	c := f.comparison(name, value)
	return func(e *candidate) bool {
		age := f.now.Sub(f.info(e).ModTime)
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
