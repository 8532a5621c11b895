// Package paths compares paths lexically. It does not access the file system.
package paths

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Below returns the path of name relative to dir, and reports whether name is dir or below it. Both
// must be absolute. Unlike [filepath.Rel], it terminates for every spelling of a Windows share.
func Below(dir, name string) (rel string, ok bool) {
	rel, ok = below(dir, name, filepath.Separator == '\\')
	return filepath.FromSlash(rel), ok
}

func below(dir, name string, windows bool) (rel string, ok bool) {
	same := func(a, b string) bool { return a == b || windows && strings.EqualFold(a, b) }
	above, names := split(dir, windows), split(name, windows)
	depth := len(above)
	if depth == 0 || len(names) < depth || !slices.EqualFunc(above, names[:depth], same) {
		return "", false
	}
	names[depth-1] = "."
	return path.Join(names[depth-1:]...), true
}

// split returns the volume, which is empty except on Windows, and the cleaned components of an
// absolute path. It returns nil for other paths.
func split(p string, windows bool) []string {
	volume := ""
	if windows {
		p = strings.ReplaceAll(p, `\`, "/")
		switch {
		case strings.HasPrefix(p, "//"):
			volume, p = splitShare(p)
		case HasDrive(p):
			volume, p = p[:2], p[2:]
		default:
			return nil
		}
	}
	if !strings.HasPrefix(p, "/") {
		return nil
	}
	names := strings.FieldsFunc(path.Clean(p), func(c rune) bool { return c == '/' })
	return append([]string{volume}, names...)
}

// splitShare splits a path such as //server/share/a into the share, above which ".." does not lead,
// and the path in it.
func splitShare(p string) (share, rest string) {
	names := 4 // in the share, with the two empty ones before its slashes
	if strings.HasPrefix(p, "//?/UNC/") {
		names = 6
	}
	parts := strings.Split(p, "/")
	names = min(names, len(parts))
	return strings.Join(parts[:names], "/"), "/" + strings.Join(parts[names:], "/")
}

// IsNodeAbsolute implements path.isAbsolute of Node.js. On Windows it is also true for a path on
// the current drive, such as \x.
func IsNodeAbsolute(p string) bool { return isNodeAbsolute(p, filepath.Separator == '\\') }

func isNodeAbsolute(p string, windows bool) bool {
	if windows {
		p = strings.ReplaceAll(p, `\`, "/")
		if HasDrive(p) {
			p = p[2:]
		}
	}
	return strings.HasPrefix(p, "/")
}

// HasDrive reports whether a path begins with a drive letter and a colon.
func HasDrive(p string) bool {
	if len(p) < 2 || p[1] != ':' {
		return false
	}
	letter := p[0] | 0x20 // in lower case
	return 'a' <= letter && letter <= 'z'
}
