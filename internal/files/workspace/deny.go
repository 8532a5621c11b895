package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
)

// A denyRule is an alternative of a deny pattern.
type denyRule struct {
	written string      // the pattern as given
	name    denyMatcher // matches the names of the entries to deny; the zero value matches all
	path    denyMatcher // matches their paths; the zero value matches all
	inRoots bool        // path is matched with paths relative to each root
	fromTop bool        // path is matched with absolute paths, without the slashes at the beginning
	byDrive bool        // path is also matched with absolute paths without their drive
	builtIn bool        // samples and public keys are exempt
}

// A denyMatcher matches a text ignoring case, and if exact is set also regarding it: [!a] matches A.
type denyMatcher struct{ folded, exact *pattern.Pattern }

func (m denyMatcher) match(folded, written string) bool {
	return m.folded == nil || m.folded.Match(folded) || m.exact != nil && m.exact.Match(written)
}

// A denyList is the deny rules of a workspace.
type denyList struct {
	semantics pathSemantics
	home      string // the directory that ~ expands to
	roots     []*root
	rules     []denyRule
	names     map[string]string // the patterns of rules that match a single name, by that name
}

// newDenyList compiles the default patterns, if requested, and those of o.Deny.
func newDenyList(s pathSemantics, o Options, home string, roots []*root) (*denyList, error) {
	l := &denyList{semantics: s, home: home, roots: roots, names: map[string]string{}}
	if o.DefaultDeny {
		for _, d := range DefaultDeny() {
			for _, written := range d.Patterns {
				if err := l.add(written, true); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, written := range o.Deny {
		if err := l.add(written, false); err != nil {
			return nil, fmt.Errorf("deny pattern %q: %w", written, err)
		}
	}
	return l, nil
}

// add compiles a pattern.
func (l *denyList) add(written string, builtIn bool) error {
	c := pattern.NewCompiler(context.Background())
	alternatives, err := c.Alternatives(l.semantics.compose(l.semantics.slashGlob(written)))
	if err != nil {
		return err
	}
	for _, glob := range alternatives {
		rule := denyRule{written: written, builtIn: builtIn}
		if glob, err = l.semantics.placeGlob(&rule, glob, l.home); err != nil {
			return err
		}
		if err := l.compile(c, rule, glob); err != nil {
			return err
		}
		if real := l.resolveGlob(glob); rule.fromTop && real != glob {
			if err := l.compile(c, rule, real); err != nil {
				return err
			}
		}
	}
	return nil
}

// compile adds a rule for a glob without braces.
func (l *denyList) compile(c *pattern.Compiler, rule denyRule, glob string) error {
	name := glob[strings.LastIndexByte(glob, '/')+1:]
	short := strings.TrimPrefix(glob, "**/")
	if short != glob || !rule.inRoots && !rule.fromTop {
		if short = strings.TrimSuffix(short, "/**"); short != "**" && !strings.Contains(short, "/") {
			name, glob = short, ""
		}
	}
	if glob == "" && !strings.ContainsAny(name, `*?[\`) {
		if _, err := c.Compile(pattern.Path, name, true); err != nil {
			return err
		}
		l.names[l.fold(name)] = rule.written
		return nil
	}
	var err error
	if name != "**" {
		if rule.name, err = l.matcher(c, name); err != nil {
			return err
		}
	}
	if glob != "" {
		if rule.path, err = l.matcher(c, glob); err != nil {
			return err
		}
	}
	l.rules = append(l.rules, rule)
	return nil
}

func (l *denyList) matcher(c *pattern.Compiler, glob string) (m denyMatcher, err error) {
	m.folded, err = c.Compile(pattern.Path, glob, true)
	if err == nil && l.semantics == exactSemantics && strings.Contains(glob, "[") {
		m.exact, err = c.Compile(pattern.Path, glob, false)
	}
	return m, err
}

// fold returns the form of a name or path that patterns are matched with.
func (l *denyList) fold(s string) string { return text.Fold(l.semantics.compose(s)) }

// placeGlob determines where a glob without braces applies, and returns it relative to there.
func (s pathSemantics) placeGlob(rule *denyRule, glob, home string) (string, error) {
	windows := s == windowsSemantics
	if rest, ok := strings.CutPrefix(glob, "//?/"); ok && windows {
		if unc, ok := strings.CutPrefix(rest, "UNC/"); ok {
			rest = "//" + unc
		}
		glob = rest
	}
	share := windows && strings.HasPrefix(glob, "//")
	if share && strings.HasPrefix(glob, "//./") {
		return "", errors.New(`it names a device; write a path such as "C:/dir"`)
	}
	for strings.Contains(glob, "//") {
		glob = strings.ReplaceAll(glob, "//", "/")
	}
	slash := strings.Contains(strings.TrimRight(glob, "/"), "/")
	for strings.HasPrefix(glob, "./") && len(glob) > 2 {
		glob = glob[2:]
	}
	if glob = strings.TrimSuffix(glob, "/"); glob == "" {
		return "", errors.New(`it matches everything; write a directory below "/"`)
	}
	hasDrive := len(glob) > 1 && glob[1] == ':' && 'a' <= glob[0]|0x20 && glob[0]|0x20 <= 'z'
	switch rest, absolute := strings.CutPrefix(glob, "/"); {
	case glob == "~" || strings.HasPrefix(glob, "~/"):
		if home == "" {
			return "", errors.New(`the home directory is unknown; write the path in full`)
		}
		rule.fromTop = true
		return quoteGlob(strings.TrimLeft(s.slashed(home), "/")) + glob[1:], nil
	case windows && hasDrive && !strings.HasPrefix(glob[2:], "/"):
		return "", fmt.Errorf("it is relative to the current directory of a drive; write %q", glob[:2]+"/"+glob[2:])
	case windows && hasDrive:
		rule.fromTop = true
		return glob[:1] + `\:` + glob[2:], nil
	case absolute:
		rule.fromTop, rule.inRoots, rule.byDrive = true, !share, windows && !share
		return rest, nil
	case slash:
		rule.inRoots = true
		rule.fromTop = strings.HasPrefix(glob, "**/")
	case glob == "**":
		rule.inRoots, rule.fromTop = true, true
	}
	return glob, nil
}

// quoteGlob returns the glob that matches only p.
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

// resolveGlob resolves the symlinks in the directories that a glob relative to the top names, as far as they are
// above the roots. It leaves paths of Windows unchanged.
func (l *denyList) resolveGlob(glob string) string {
	literal, rest := "/"+glob, ""
	if meta := strings.IndexAny(literal, `*?[\`); meta >= 0 {
		slash := strings.LastIndexByte(literal[:meta], '/')
		literal, rest = literal[:slash], literal[slash:]
	}
	resolved := literal
	for end := 0; end < len(literal) && l.semantics != windowsSemantics; {
		next := strings.IndexByte(literal[end+1:], '/')
		if end += 1 + next; next < 0 {
			end = len(literal)
		}
		real, err := filepath.EvalSymlinks(filepath.FromSlash(literal[:end]))
		if err != nil {
			break
		}
		real = l.semantics.slashed(real)
		resolved = path.Join(real, literal[end:])
		if slices.ContainsFunc(l.roots, func(r *root) bool { return strings.HasPrefix(real+"/", strings.TrimSuffix(r.real, "/")+"/") }) {
			break
		}
	}
	if resolved == literal {
		return glob
	}
	return strings.TrimPrefix(quoteGlob(resolved)+rest, "/")
}

// denied returns a [DeniedError] if a pattern matches the entry called name in the directory at dir below r, or in
// one of aliases, other absolute paths by which dir was reached. It does not consider directories above the entry,
// which were checked when they were opened.
func (w *Workspace) denied(r *root, dir, name string, aliases []string) error {
	if p := w.deny.matchEntry(name, func(yield func(string) bool) {
		if !yield(path.Join(r.real, dir, name)) {
			return
		}
		for _, alias := range aliases {
			if !yield(path.Join(alias, name)) {
				return
			}
		}
	}); p != "" {
		return &DeniedError{p}
	}
	return nil
}

// deniedAbove returns the pattern that denies an absolute path or a directory above it, or "".
func (w *Workspace) deniedAbove(abs string) string {
	for dir := abs; dir != path.Dir(dir); dir = path.Dir(dir) {
		if p := w.deny.matchEntry(path.Base(dir), func(yield func(string) bool) { yield(dir) }); p != "" {
			return p
		}
	}
	return ""
}

// matchEntry returns the pattern that matches the entry called name, whose absolute paths are paths, or "".
func (l *denyList) matchEntry(name string, paths func(yield func(string) bool)) string {
	folded := l.fold(name)
	if p, ok := l.names[folded]; ok {
		return p
	}
	exempt := isExempt(folded)
	for i := range l.rules {
		rule := &l.rules[i]
		if rule.builtIn && exempt || !rule.name.match(folded, name) {
			continue
		}
		if rule.path.folded == nil {
			return rule.written
		}
		for p := range paths {
			if l.matchPath(rule, p) {
				return rule.written
			}
		}
	}
	return ""
}

// isExempt reports whether a folded name is that of a sample or a public key.
func isExempt(name string) bool {
	return slices.Contains([]string{".example", ".sample", ".template", ".pub"}, path.Ext(name))
}

// matchPath reports whether the path of a rule matches an absolute path.
func (l *denyList) matchPath(rule *denyRule, abs string) bool {
	folded := l.fold(abs)
	top, written := strings.TrimLeft(folded, "/"), strings.TrimLeft(abs, "/")
	if rule.fromTop && rule.path.match(top, written) {
		return true
	}
	if _, rest, ok := strings.Cut(top, ":/"); ok && rule.byDrive && rule.path.match(rest, rest) {
		return true
	}
	for i := 0; rule.inRoots && i < len(l.roots); i++ {
		for dir := range l.roots[i].spellings() {
			prefix := strings.TrimSuffix(path.Clean(l.fold(dir)), "/") + "/"
			if rel, ok := strings.CutPrefix(folded, prefix); ok {
				exact, same := strings.CutPrefix(abs, strings.TrimSuffix(path.Clean(dir), "/")+"/")
				if !same {
					exact = rel
				}
				if rule.path.match(rel, exact) {
					return true
				}
			}
		}
	}
	return false
}

// homeDirectory returns the home directory, or "".
func homeDirectory() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}
