package workspace

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/files/glob"
	"gander/internal/files/text"
)

// placeRules returns the rules with what their absolute patterns are once symlinks above the roots are resolved. It refuses an
// absolute pattern that lies in no root.
func (w *Workspace) placeRules(rules []denyRule) ([]denyRule, error) {
	for i := range rules {
		rule := &rules[i]
		budget := maxExpansion
		for _, pattern := range glob.Expand(tidyPattern(rule.pattern), &budget) {
			if w.semantics.kindOfPath(pattern) != absolutePath {
				continue
			}
			literal, rest := cutLiteral(pattern)
			resolved := w.resolveAbove(literal)
			if !w.reaches(resolved) && !w.reaches(literal) {
				return nil, fmt.Errorf("deny pattern %q: it lies in no root; a path in a root may be written relative to that, without the first slash", rule.pattern)
			}
			if resolved != literal {
				rule.resolved = append(rule.resolved, quotePattern(resolved)+rest)
			}
		}
	}
	return rules, nil
}

// maxExpansion bounds the alternatives of an absolute pattern that are looked at. glob.Compile refuses a pattern with more.
const maxExpansion = 128 << 10

// tidyPattern removes what a path that it is matched with never has: "./" at the beginning, a slash at the end, and one slash
// of two.
func tidyPattern(pattern string) string {
	for strings.Contains(pattern, "//") {
		pattern = strings.ReplaceAll(pattern, "//", "/")
	}
	for strings.HasPrefix(pattern, "./") && len(pattern) > 2 {
		pattern = pattern[2:]
	}
	if len(pattern) > 1 {
		pattern = strings.TrimSuffix(pattern, "/")
	}
	return pattern
}

// cutLiteral cuts a pattern before the first component that is more than a name.
func cutLiteral(pattern string) (literal, rest string) {
	meta := strings.IndexAny(pattern, `*?[]{}\`)
	if meta < 0 {
		return pattern, ""
	}
	slash := strings.LastIndexByte(pattern[:meta], '/')
	return pattern[:max(slash, 1)], pattern[slash:]
}

// quotePattern returns the pattern that matches just p.
func quotePattern(p string) string {
	var b strings.Builder
	for i := range len(p) {
		if strings.IndexByte(`*?[]{}\!~`, p[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// resolveAbove resolves the symlinks in an absolute path as far as they lie above the roots. It leaves paths of Windows as they are.
func (w *Workspace) resolveAbove(abs string) string {
	if w.semantics == windowsSemantics {
		return abs
	}
	resolved := abs
	for end := 0; end < len(abs); {
		next := strings.IndexByte(abs[end+1:], '/')
		if end += 1 + next; next < 0 {
			end = len(abs)
		}
		real, err := filepath.EvalSymlinks(filepath.FromSlash(abs[:end]))
		if err != nil {
			break
		}
		real = w.semantics.slashed(real)
		resolved = path.Join(real, abs[end:])
		if w.inRoot(real) {
			break
		}
	}
	return resolved
}

// inRoot reports whether an absolute path free of symlinks is that of a root or below one.
func (w *Workspace) inRoot(abs string) bool {
	for _, r := range w.roots {
		if below(abs, r.real) {
			return true
		}
	}
	return false
}

// reaches reports whether an absolute path lies in a root or above one, in any case.
func (w *Workspace) reaches(abs string) bool {
	for _, r := range w.roots {
		for dir := range r.spellings() {
			if below(abs, dir) || below(dir, abs) {
				return true
			}
		}
	}
	return false
}

// below reports whether p is dir or a path below it, in any case. A slash more at the beginning of either makes no difference.
func below(p, dir string) bool {
	slashed := func(p string) string { return strings.TrimSuffix(path.Clean(text.Fold(p)), "/") + "/" }
	return strings.HasPrefix(slashed(p), slashed(dir))
}
