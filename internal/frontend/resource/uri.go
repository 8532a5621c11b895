package resource

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"gander/tool"
)

// URI returns the file URI of an absolute path. The path must be UTF-8.
func URI(path string) string { return format(filepath.ToSlash(path)) }

func format(slashed string) string {
	if !strings.HasPrefix(slashed, "/") { // It begins with a drive.
		slashed = "/" + slashed
	}
	return "file://" + escape(slashed)
}

// escape returns a path as it stands in a URI. Characters that a URI's path may not have are percent-encoded.
func escape(path string) string {
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/-._~!$&'()*+,;=:@", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// Path returns the absolute path that a file URI of this machine names. It refuses every URI that could be understood in
// two ways: one with a segment such as "..", with an encoded separator, or with a character that should be encoded.
func Path(uri string) (string, error) {
	path, err := parse(uri, runtime.GOOS == "windows")
	if err != nil {
		return "", &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf("%q is no URI of a file: %v", clip(uri), err)}
	}
	return filepath.FromSlash(path), nil
}

// clip shortens s for an error message.
func clip(s string) string {
	if len(s) > 200 {
		return s[:200] + "..."
	}
	return s
}

// parse returns the path with slashes, by the rules of Windows or of other systems.
func parse(uri string, windows bool) (string, error) {
	scheme, rest, _ := strings.Cut(uri, "://")
	host, path, rooted := strings.Cut(rest, "/")
	switch {
	case !strings.EqualFold(scheme, "file"):
		return "", fmt.Errorf("it must begin with file:///")
	case host != "" && !strings.EqualFold(host, "localhost"), !rooted:
		return "", fmt.Errorf("it must name no host")
	}
	segments := strings.Split(path, "/")
	if last := len(segments) - 1; last > 0 && segments[last] == "" { // The URI of a directory may end in a slash.
		segments = segments[:last]
	}
	if len(segments) == 1 && segments[0] == "" && !windows {
		return "/", nil
	}
	for i, s := range segments {
		name, err := decode(s, windows)
		if err != nil {
			return "", err
		}
		if windows && strings.Contains(name, ":") != (i == 0) {
			return "", fmt.Errorf("it must begin with a drive, and have no colon elsewhere")
		}
		segments[i] = name
	}
	if !windows {
		return "/" + strings.Join(segments, "/"), nil
	}
	if drive := segments[0]; len(drive) != 2 || drive[1] != ':' {
		return "", fmt.Errorf("it must begin with a drive, as in file:///C:/")
	}
	if len(segments) == 1 {
		return segments[0] + "/", nil
	}
	return strings.Join(segments, "/"), nil
}

// decode returns the name that a segment of a URI stands for.
func decode(segment string, windows bool) (string, error) {
	misplaced := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`?#\"<>^{|}`+"`", r) }
	if i := strings.IndexFunc(segment, misplaced); i >= 0 {
		return "", fmt.Errorf("%q must be written as %%%02X", rune(segment[i]), segment[i])
	}
	name, err := url.PathUnescape(segment)
	if err != nil {
		return "", fmt.Errorf("%% must be followed by two hexadecimal digits")
	}
	forbidden := "/\x00"
	if windows {
		forbidden += `\`
	}
	if i := strings.IndexAny(name, forbidden); i >= 0 {
		return "", fmt.Errorf("%%%02X stands for no character of a name", name[i])
	}
	switch {
	case name == "" || name == "." || name == "..":
		return "", fmt.Errorf("it has an empty segment, or one of dots")
	case !utf8.ValidString(name):
		return "", fmt.Errorf("it is not UTF-8 once decoded")
	default:
		return name, nil
	}
}
