// Package paths compares paths lexically. It does not access the file system.
package paths

import (
	"path"
	"path/filepath"
	"strings"
)

// Below returns the path of name relative to dir, and reports whether name is dir or below it. Both
// must be absolute. Unlike [filepath.Rel], it terminates for every spelling of a Windows share.
func Below(dir, name string) (rel string, ok bool) {
	rel, ok = below(dir, name, filepath.Separator == '\\')
	return filepath.FromSlash(rel), ok
}

func below(dir, name string, windows bool) (rel string, ok bool) {
	dirVolume, dirRest, dirOK := split(dir, windows)
	nameVolume, nameRest, nameOK := split(name, windows)
	if !dirOK || !nameOK || !same(dirVolume, nameVolume, windows) {
		return "", false
	}
	if len(nameRest) < len(dirRest) {
		return "", false
	}
	for i := range dirRest {
		if !same(dirRest[i], nameRest[i], windows) {
			return "", false
		}
	}
	return path.Join(".", path.Join(nameRest[len(dirRest):]...)), true
}

// split splits an absolute path into its volume and its cleaned components. The volume is empty
// except on Windows.
func split(p string, windows bool) (volume string, names []string, ok bool) {
	if windows {
		p = strings.ReplaceAll(p, `\`, "/")
		switch {
		case strings.HasPrefix(p, "//"):
			volume, p = "//", p[1:]
		case len(p) >= 3 && p[1] == ':' && p[2] == '/':
			volume, p = p[:2], p[2:]
		default:
			return "", nil, false
		}
	}
	if !strings.HasPrefix(p, "/") {
		return "", nil, false
	}
	names = strings.FieldsFunc(path.Clean(p), func(c rune) bool { return c == '/' })
	return volume, names, true
}

func same(a, b string, windows bool) bool {
	return a == b || windows && strings.EqualFold(a, b)
}
