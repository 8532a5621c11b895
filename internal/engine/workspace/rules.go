package workspace

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// rules are how a system reads a path, as far as it decides what is reached. They touch no file, so every system's are
// tested on all.
type rules uint8

const (
	// exactRules: a name is its bytes, and means the entry of just that name.
	exactRules rules = iota
	// darwinRules: names ignore case and composition, and some names are no entries of their directory.
	darwinRules
	// windowsRules: names ignore case, paths have drives, shares and two separators, names have streams, short forms and
	// devices, and lose dots and blanks at their end.
	windowsRules
)

// slashed returns p with slashes for separators.
func (r rules) slashed(p string) string {
	if r == windowsRules {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// A reach is where a path starts from.
type reach uint8

const (
	fromRoot  reach = iota // relative to where one stands
	fromTop                // absolute
	elsewhere              // relative to what is no place in a workspace: a drive, or its current directory
)

// reach returns where a slashed path starts from. Shares and devices count as absolute; no root has such a name unless the
// operator gave it one.
func (r rules) reach(p string) reach {
	slash := strings.HasPrefix(p, "/")
	if r != windowsRules {
		if slash {
			return fromTop
		}
		return fromRoot
	}
	switch {
	case strings.HasPrefix(p, "//"):
		return fromTop
	case slash:
		return elsewhere // a path of the current drive, or \??\
	case len(p) < 2 || p[1] != ':':
		return fromRoot
	case len(p) > 2 && p[2] == '/':
		return fromTop
	default:
		return elsewhere
	}
}

// fold returns the form in which two spellings of a name are the same. Bytes that are not UTF-8 stay.
func (r rules) fold(name string) string {
	if r == exactRules || folded(name) {
		return name
	}
	if r == darwinRules && !ascii(name) {
		name = norm.NFC.String(name)
	}
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); {
		c, size := utf8.DecodeRuneInString(name[i:])
		if c == utf8.RuneError && size == 1 {
			out = append(out, name[i])
		} else {
			out = utf8.AppendRune(out, foldRune(c))
		}
		i += size
	}
	return string(out)
}

// folded reports whether name is of ASCII without capitals, as most are.
func folded(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// foldRune returns one character for all that differ from c in case alone: a small letter of ASCII, or the least.
func foldRune(c rune) rune {
	least := c
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}

func (r rules) same(a, b string) bool { return a == b || r.fold(a) == r.fold(b) }

// A standing is what a component of a path may mean.
type standing uint8

const (
	itself  standing = iota // the entry of that name, or of one that folds to the same
	listed                  // perhaps an entry of another name: only what the directory lists under it is meant
	nothing                 // no entry: the system would take it for something else
)

// standing returns what a component that is neither "." nor ".." may mean; top says that it stands at the top of the file
// system.
func (r rules) standing(name string, top bool) standing {
	switch r {
	case darwinRules:
		switch strings.ToLower(name) {
		case "..namedfork": // of a file: its resource fork
			return nothing
		case ".vol", ".file", ".nofollow", ".resolve": // ways to files by number, or with flags
			if top {
				return nothing
			}
		}
	case windowsRules:
		last := name[len(name)-1]
		switch {
		case strings.ContainsAny(name, `<>:"|?*`), strings.ContainsFunc(name, unicode.IsControl):
			return nothing // a stream, or what no name can hold
		case last == '.', last == ' ': // opened without it
			return nothing
		case device(name):
			return nothing
		case shortForm(name):
			return listed
		}
	default:
		return itself
	}
	if !ascii(name) { // how a file system folds these, and what it ignores in them, differs
		return listed
	}
	return itself
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// device reports whether Windows takes name for a device: a reserved word, whatever follows a dot, blanks before that
// being ignored.
func device(name string) bool {
	word, _, _ := strings.Cut(name, ".")
	word = strings.ToUpper(strings.TrimRight(word, " "))
	switch word {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	number, port := strings.CutPrefix(word, "COM")
	if !port {
		number, port = strings.CutPrefix(word, "LPT")
	}
	return port && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}

// shortForm reports whether name may be the short form that Windows gives to a long name, as PROGRA~1 is.
func shortForm(name string) bool {
	extension := path.Ext(name)
	base := strings.TrimSuffix(name, extension)
	tilde := strings.LastIndexByte(base, '~')
	return tilde >= 0 && len(base) <= 8 && len(extension) <= len(".ext") && strings.Trim(base[tilde+1:], "0123456789") == "" && tilde+1 < len(base)
}
