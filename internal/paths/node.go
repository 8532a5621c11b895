package paths

import "path/filepath"

// IsNodeAbsolute implements path.isAbsolute of Node.js. On Windows it is also true for a path on
// the current drive, such as \x.
func IsNodeAbsolute(p string) bool { return isNodeAbsolute(p, filepath.Separator == '\\') }

func isNodeAbsolute(p string, windows bool) bool {
	if !windows {
		return p != "" && p[0] == '/'
	}
	if p == "" {
		return false
	}
	return isSlash(p[0]) || len(p) > 2 && HasDrive(p) && isSlash(p[2])
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// HasDrive reports whether a path begins with a drive letter and a colon.
func HasDrive(p string) bool { return len(p) > 1 && p[1] == ':' && isLetter(p[0]) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
