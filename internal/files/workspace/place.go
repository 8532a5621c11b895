package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/paths"
)

// place returns globs for absolute paths, without slashes at the beginning, that together match the
// same as a glob without braces.
func (l *denyList) place(glob string) ([]string, error) {
	isWindows := l.semantics == windowsSemantics
	glob = l.semantics.trimDevice(glob)
	isShare := isWindows && strings.HasPrefix(glob, "//")
	anyDepth := !strings.Contains(strings.TrimRight(glob, "/"), "/") // as in .gitignore
	glob, err := trimGlob(glob)
	if err != nil {
		return nil, err
	}
	isDrive := isWindows && paths.HasDrive(glob)
	switch {
	case glob == "~", strings.HasPrefix(glob, "~/"):
		if l.home == "" {
			return nil, errors.New(`the home directory is unknown; write the path in full`)
		}
		return []string{l.below(l.semantics.slashed(l.home), strings.TrimPrefix(glob[1:], "/"))}, nil
	case isDrive:
		if !strings.HasPrefix(glob[2:], "/") {
			return nil, fmt.Errorf("it is relative to the current directory of a drive; write %q",
				glob[:2]+"/"+glob[2:])
		}
		return []string{glob[:1] + `\:` + glob[2:]}, nil
	case isShare:
		return []string{strings.TrimPrefix(glob, "/")}, nil
	case anyDepth && glob[0] != '/':
		return []string{"**/" + glob}, nil
	case strings.HasPrefix(glob, "**/"):
		return []string{glob}, nil
	}
	// An error is about the glob, not about its place below a root.
	relative := strings.TrimPrefix(glob, "/")
	c := pattern.NewCompiler(context.Background())
	if _, err := c.Compile(pattern.Path, relative, false); err != nil {
		return nil, err
	}
	var globs []string
	for _, r := range l.roots {
		for _, dir := range r.paths {
			globs = append(globs, l.below(dir, relative))
			if glob[0] == '/' {
				globs = append(globs, l.below(l.semantics.volume(dir), relative))
			}
		}
	}
	slices.Sort(globs)
	return slices.Compact(globs), nil
}

// below returns a glob for absolute paths that matches what glob matches below a directory.
func (l *denyList) below(dir, glob string) string {
	dir = quoteGlob(l.semantics.compose(l.semantics.trimDevice(dir)))
	return strings.TrimLeft(joinPath(dir, glob), "/")
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
	for strings.HasSuffix(glob, "/**") { // entries below a denied directory are out of reach
		glob = strings.TrimSuffix(glob, "/**")
	}
	if glob == "" {
		return "", errors.New(`it matches everything; write a directory below "/"`)
	}
	return glob, nil
}

// special matches what means something in a glob.
var special = regexp.MustCompile(`[*?\[\]{}\\!~:]`)

func quoteGlob(p string) string { return special.ReplaceAllString(p, `\$0`) }

// quotedCharacter matches a quoted character in a glob.
var quotedCharacter = regexp.MustCompile(`(?s)\\(.)`)

// resolveGlob resolves the symlinks above the roots in a glob relative to the top, not on Windows.
func (l *denyList) resolveGlob(glob string) string {
	if l.semantics == windowsSemantics {
		return glob
	}
	real, size := "/", 0
	for part := range strings.SplitAfterSeq(glob, "/") {
		if strings.ContainsAny(quotedCharacter.ReplaceAllString(part, ""), "*?[") {
			break
		}
		name := strings.TrimSuffix(quotedCharacter.ReplaceAllString(part, "$1"), "/")
		next, err := filepath.EvalSymlinks(joinPath(real, name))
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
