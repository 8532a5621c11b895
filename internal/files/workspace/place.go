package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A placedGlob is a glob relative to one of several bases.
type placedGlob struct {
	bases []string // see baseOf
	glob  string
}

// place determines the bases of a glob without braces.
func (l *denyList) place(glob string) (placedGlob, error) {
	isWindows := l.semantics == windowsSemantics
	if isWindows {
		glob = trimDevice(glob)
	}
	isShare := isWindows && strings.HasPrefix(glob, "//")
	anyDepth := !strings.Contains(strings.TrimRight(glob, "/"), "/") // as in .gitignore
	glob, err := trimGlob(glob)
	if err != nil {
		return placedGlob{}, err
	}
	isDrive := isWindows && drivePrefix.MatchString(glob)
	roots, tops := l.bases()
	anywhere := []string{""}
	switch {
	case glob == "~", strings.HasPrefix(glob, "~/"):
		if l.home == "" {
			return placedGlob{}, errors.New(`the home directory is unknown; write the path in full`)
		}
		home := strings.TrimLeft(l.semantics.slashed(l.home), "/")
		return placedGlob{anywhere, quoteGlob(home) + glob[1:]}, nil
	case isDrive:
		if !strings.HasPrefix(glob[2:], "/") {
			return placedGlob{}, fmt.Errorf("it is relative to the current directory of a drive; write %q",
				glob[:2]+"/"+glob[2:])
		}
		return placedGlob{anywhere, glob[:1] + `\:` + glob[2:]}, nil
	case isShare:
		return placedGlob{anywhere, strings.TrimPrefix(glob, "/")}, nil
	case strings.HasPrefix(glob, "/"):
		return placedGlob{slices.Compact(append(roots, tops...)), glob[1:]}, nil
	case anyDepth:
		return placedGlob{anywhere, "**/" + glob}, nil
	case strings.HasPrefix(glob, "**/"):
		return placedGlob{anywhere, glob}, nil
	default:
		return placedGlob{roots, glob}, nil
	}
}

// trimDevice removes the beginning of a path of Windows that is passed to the system as it is.
func trimDevice(glob string) string {
	if share, ok := strings.CutPrefix(glob, "//?/UNC/"); ok {
		return "//" + share
	}
	return strings.TrimPrefix(glob, "//?/")
}

// trimGlob removes the components of a glob that change nothing.
func trimGlob(glob string) (string, error) {
	for strings.Contains(glob, "//") {
		glob = strings.ReplaceAll(glob, "//", "/")
	}
	for strings.HasPrefix(glob, "./") && len(glob) > 2 {
		glob = glob[2:]
	}
	glob = strings.TrimSuffix(glob, "/")
	if glob == "" {
		return "", errors.New(`it matches everything; write a directory below "/"`)
	}
	for strings.HasSuffix(glob, "/**") { // entries below a denied directory are out of reach
		glob = strings.TrimSuffix(glob, "/**")
	}
	return glob, nil
}

// drivePrefix matches a path on a drive of Windows.
var drivePrefix = regexp.MustCompile(`^[A-Za-z]:`)

// bases returns the bases of the roots, and those of the tops of their file systems.
func (l *denyList) bases() (roots, tops []string) {
	for _, r := range l.roots {
		for _, dir := range r.paths {
			roots = append(roots, baseOf(dir))
			tops = append(tops, baseOf(l.semantics.volume(dir)))
		}
	}
	return roots, tops
}

// baseOf returns the prefix of the paths below a directory, without slashes at the beginning.
func baseOf(dir string) string {
	return strings.TrimLeft(strings.TrimSuffix(dir, "/")+"/", "/")
}

func quoteGlob(p string) string {
	var b strings.Builder
	for i := range len(p) {
		if strings.IndexByte(`*?[]{}\!~:`, p[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// resolveGlob resolves the symlinks above the roots in a glob relative to the top, not on Windows.
func (l *denyList) resolveGlob(glob string) string {
	literal := glob
	if meta := strings.IndexAny(glob, `*?[\`); meta >= 0 {
		literal = glob[:strings.LastIndexByte(glob[:meta], '/')+1]
	}
	if l.semantics == windowsSemantics || literal == "" {
		return glob
	}
	real, size := "/", 0
	for part := range strings.SplitAfterSeq(literal, "/") {
		next, err := filepath.EvalSymlinks(joinPath(real, strings.TrimSuffix(part, "/")))
		if err != nil {
			break
		}
		real, size = next, size+len(part)
		if slices.ContainsFunc(l.roots, func(r *root) bool {
			return strings.HasPrefix(real+"/", strings.TrimSuffix(r.real(), "/")+"/")
		}) {
			break
		}
	}
	real = quoteGlob(l.semantics.compose(l.semantics.slashed(real)))
	return strings.TrimPrefix(joinPath(real, glob[size:]), "/")
}
