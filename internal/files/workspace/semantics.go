package workspace

import (
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
)

// pathSemantics are the rules of a system for paths. Methods inspect no files, so the rules of
// every system are tested on all systems.
type pathSemantics uint8

const (
	exactSemantics   pathSemantics = iota // a name denotes the entry with the same bytes
	darwinSemantics                       // names ignore case and composition
	windowsSemantics                      // names ignore case, and lose final dots and spaces
)

func native() pathSemantics {
	switch runtime.GOOS {
	case "darwin":
		return darwinSemantics
	case "windows":
		return windowsSemantics
	default:
		return exactSemantics
	}
}

// slashed returns p with slashes as separators.
func (s pathSemantics) slashed(p string) string {
	if s == windowsSemantics {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// SlashGlob returns a glob with slashes for the backslashes that separate directories on this
// platform. See [pattern.Slashed].
func SlashGlob(glob string) string { return native().slashGlob(glob) }

func (s pathSemantics) slashGlob(glob string) string {
	if s == windowsSemantics {
		return pattern.Slashed(glob)
	}
	return glob
}

// isRelative reports whether a slashed path is relative to a root. Others are absolute, including
// shares and devices, or relative to a drive or its current directory, as no root is.
func (s pathSemantics) isRelative(p string) bool {
	drive := s == windowsSemantics && len(p) > 1 && p[1] == ':'
	return !drive && !strings.HasPrefix(p, "/")
}

// joinPath returns the slashed path of rel below dir. Unlike [path.Join] it keeps the two slashes
// that a share begins with.
func joinPath(dir, rel string) string {
	if rel == "" || rel == "." {
		return dir
	}
	return strings.TrimSuffix(dir, "/") + "/" + rel
}

// entryPath returns the path of an entry of dir. Both paths are relative to a root, which is ".".
func entryPath(dir, name string) string {
	if dir == "." {
		return name
	}
	return joinPath(dir, name)
}

// parentPath returns the slashed path of the directory above p.
func parentPath(p string) string {
	i := strings.LastIndexByte(p, '/')
	if i <= 0 {
		return "/"
	}
	return p[:i]
}

// splitPath returns the components of a slashed path.
func splitPath(p string) []string {
	return strings.FieldsFunc(p, func(c rune) bool { return c == '/' })
}

// volume returns the drive or share of a slashed absolute path. It is empty except on Windows.
func (s pathSemantics) volume(p string) string {
	names := 1 // the names in the volume, with the empty ones before the slashes
	switch {
	case s != windowsSemantics:
		return ""
	case strings.HasPrefix(p, "//?/UNC/"):
		names = 6
	case strings.HasPrefix(p, "//"):
		names = 4
	}
	parts := strings.Split(p, "/")
	return strings.Join(parts[:min(names, len(parts))], "/")
}

// trimDevice returns a slashed path without the beginning that makes Windows pass it on as it is.
func (s pathSemantics) trimDevice(p string) string {
	if s != windowsSemantics {
		return p
	}
	if share, ok := strings.CutPrefix(p, "//?/UNC/"); ok {
		return "//" + share
	}
	return strings.TrimPrefix(p, "//?/")
}

// trimRoot removes the slashes at the end of the path of a root, which a share may have, except
// if they are the name of the directory, as in / and C:/.
func (s pathSemantics) trimRoot(p string) string {
	trimmed := strings.TrimRight(p, "/")
	if trimmed == "" || s == windowsSemantics && strings.HasSuffix(trimmed, ":") {
		return trimmed + "/"
	}
	return trimmed
}

// fold returns a form that all spellings of a name share. Bytes that are not UTF-8 stay.
func (s pathSemantics) fold(name string) string {
	if s == exactSemantics {
		return name
	}
	return text.Fold(s.compose(name))
}

// compose returns a form that all Unicode compositions of a name share if the system ignores
// composition.
func (s pathSemantics) compose(name string) string {
	if s == darwinSemantics {
		return norm.NFC.String(name)
	}
	return name
}

// isName reports whether name is a single component other than "." and "..".
func (s pathSemantics) isName(name string) bool {
	switch name {
	case "", ".", "..":
		return false
	}
	return !strings.Contains(s.slashed(name), "/")
}

func (s pathSemantics) same(a, b string) bool { return a == b || s.fold(a) == s.fold(b) }

// A nameClass is the class of a component of a path.
type nameClass uint8

const (
	ordinaryName  nameClass = iota // the entry of that name, or of one that folds to the same
	ambiguousName                  // perhaps an entry of another name, unless the directory lists it
	invalidName                    // not an entry: the system would take it for something else
)

// classify returns the class of a component other than "." and "..". atTop reports whether it is in
// the top directory of the file system.
func (s pathSemantics) classify(name string, atTop bool) nameClass {
	switch s {
	case darwinSemantics:
		switch strings.ToLower(name) {
		case "..namedfork": // the resource fork of a file
			return invalidName
		case ".vol", ".file", ".nofollow", ".resolve": // files by number, or with flags
			if atTop {
				return invalidName
			}
		}
	case windowsSemantics:
		last := name[len(name)-1]
		switch {
		case strings.ContainsAny(name, `<>:"|?*\`), strings.ContainsFunc(name, unicode.IsControl):
			return invalidName // a stream, or impossible in a name
		case last == '.', last == ' ': // Windows opens the name without it
			return invalidName
		case isDevice(name):
			return invalidName
		case isShortForm(name):
			return ambiguousName
		}
	default:
		return ordinaryName
	}
	if strings.ContainsFunc(name, func(c rune) bool { return c > unicode.MaxASCII }) {
		return ambiguousName // file systems fold these differently
	}
	return ordinaryName
}

// isDevice reports whether name denotes a device on Windows. That is a reserved word, optionally
// followed by spaces and by a dot and any other characters.
func isDevice(name string) bool {
	word, _, _ := strings.Cut(name, ".")
	word = strings.ToUpper(strings.TrimRight(word, " "))
	switch word {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	number := strings.TrimPrefix(strings.TrimPrefix(word, "COM"), "LPT")
	return len(word)-len(number) == 3 && utf8.RuneCountInString(number) == 1 &&
		strings.Contains("0123456789¹²³", number)
}

// isShortForm reports whether name may be the short form of a long name, which is any name in the
// form 8.3 with a tilde. NTFS generates names such as PROGRA~1; Wine and Samba generate hashes such
// as ID_R~1LN and SSH~~RJI.
func isShortForm(name string) bool {
	extension := path.Ext(name)
	base := strings.TrimSuffix(name, extension)
	return len(base) <= 8 && len(extension) <= len(".ext") && strings.Contains(name, "~")
}

// cutRoot removes the components of prefix from abs. It resolves "." and ".." lexically, because
// nothing above a root is inspected. ".." does not leave a drive or share.
func (s pathSemantics) cutRoot(abs, prefix string) (rest string, ok bool) {
	for _, start := range []string{"/", "//"} { // of the current drive, and shares
		if s == windowsSemantics && strings.HasPrefix(abs, start) != strings.HasPrefix(prefix, start) {
			return "", false
		}
	}
	want, top := splitPath(prefix), len(splitPath(s.volume(abs)))
	var have []string
	for {
		if len(have) == len(want) && slices.EqualFunc(have, want, s.same) {
			return strings.TrimLeft(abs, "/"), true
		}
		if abs == "" {
			return "", false
		}
		var name string
		name, abs, _ = strings.Cut(strings.TrimLeft(abs, "/"), "/")
		switch {
		case name == "..":
			if len(have) > top {
				have = have[:len(have)-1]
			}
		case name != "." && name != "":
			have = append(have, name)
		}
	}
}

// IsRelative reports whether a path is relative to a root on this platform. Other paths need not be
// absolute: on Windows, a path may be relative to a drive.
func IsRelative(p string) bool { return native().isRelative(native().slashed(p)) }

// SameName reports whether two names denote the same entry on this platform.
func SameName(a, b string) bool { return native().same(a, b) }
