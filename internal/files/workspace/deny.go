package workspace

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"gander/internal/files/glob"
)

// A denyRule is a deny pattern as it was written, and names that it does not deny.
type denyRule struct {
	pattern  string
	except   []string
	resolved []string // patterns for the same, without symlinks above the roots
}

// denyRules returns the default patterns, if they are wanted, and then those of Deny.
func (o Options) denyRules() []denyRule {
	var rules []denyRule
	if o.DefaultDeny {
		for _, p := range []string{
			"**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/id_ed25519*", "**/id_ecdsa*", "**/*.pem", "**/*.key", "**/.netrc", "**/.aws/**", "**/.env",
		} {
			rules = append(rules, denyRule{pattern: p})
		}
		rules = append(rules, denyRule{pattern: "**/.env.*", except: []string{".env.example", ".env.sample", ".env.template"}})
	}
	for _, p := range o.Deny {
		rules = append(rules, denyRule{pattern: p})
	}
	return rules
}

// A denyPattern is a glob to match, and the rule that it belongs to.
type denyPattern struct {
	*glob.Pattern
	denyRule
}

// A denyList is the deny patterns for names folded by some path semantics.
type denyList struct {
	semantics pathSemantics
	names     []denyPattern // matched with single names
	paths     []denyPattern // matched with whole paths
}

// newDenyLists returns the lists for a workspace with the given path semantics. Where these heed case, patterns are matched
// ignoring case as well: a single directory may ignore it, and denying too much is the lesser evil.
func newDenyLists(s pathSemantics, rules []denyRule) ([]denyList, error) {
	own, err := newDenyList(s, rules)
	if err != nil || s != exactSemantics {
		return []denyList{own}, err
	}
	ignoringCase, err := newDenyList(windowsSemantics, rules)
	for _, r := range rules {
		if strings.Contains(r.pattern, "[") { // only with a class may something match just where case is heeded
			return []denyList{own, ignoringCase}, err
		}
	}
	return []denyList{ignoringCase}, err
}

func newDenyList(s pathSemantics, rules []denyRule) (denyList, error) {
	l := denyList{semantics: s}
	for _, rule := range rules {
		for _, pattern := range append([]string{rule.pattern}, rule.resolved...) {
			if err := l.add(rule, pattern); err != nil {
				return l, fmt.Errorf("deny pattern %q: %w", rule.pattern, errors.Unwrap(err))
			}
		}
	}
	return l, nil
}

// add adds a pattern of a rule.
func (l *denyList) add(rule denyRule, pattern string) error {
	o := glob.Options{IgnoreCase: l.semantics != exactSemantics, Absolute: true}
	tidy := tidyPattern(l.semantics.compose(pattern))
	p, err := glob.Compile(tidy, o)
	if err != nil {
		return err
	}
	name, anyDepth := strings.CutPrefix(tidy, "**/")
	if anyDepth {
		name = strings.TrimSuffix(name, "/**")
	} else {
		anyDepth = !strings.Contains(strings.TrimRight(pattern, "/"), "/")
	}
	if !anyDepth || strings.Contains(name, "/") || name == "**" {
		l.paths = append(l.paths, denyPattern{p, rule})
		return nil
	}
	if short, err := glob.Compile(name, o); err == nil { // p would match the name as well, and take longer
		p = short
	}
	l.names = append(l.names, denyPattern{p, rule})
	return nil
}

// denied returns a [DeniedError] if a pattern matches the entry called name in the directory at dir below r, or in one of
// the directories asked, other absolute paths by which dir was reached. Patterns that match a directory above it are not
// considered: they were when that was opened.
func (w *Workspace) denied(r *root, dir, name string, asked []string) error {
	for _, l := range w.deny {
		pattern := l.matchName(l.semantics.fold(name))
		if pattern == "" && len(l.paths) > 0 {
			pattern = l.matchPath(l.semantics.fold(path.Join(r.real, dir, name)), w.denyRoots)
			for i := 0; i < len(asked) && pattern == ""; i++ {
				pattern = l.matchPath(l.semantics.fold(path.Join(asked[i], name)), w.denyRoots)
			}
		}
		if pattern != "" {
			return &DeniedError{pattern}
		}
	}
	return nil
}

// deniedAbove returns the pattern that denies an absolute path or a directory above it, or "".
func (w *Workspace) deniedAbove(abs string) string {
	for _, l := range w.deny {
		for dir := l.semantics.fold(abs); dir != path.Dir(dir); dir = path.Dir(dir) {
			if p := l.matchName(path.Base(dir)); p != "" {
				return p
			}
			if p := l.matchPath(dir, w.denyRoots); p != "" {
				return p
			}
		}
	}
	return ""
}

func (l denyList) matchName(name string) (pattern string) {
	for _, p := range l.names {
		if p.Match(name) && !slices.ContainsFunc(p.except, func(e string) bool { return l.semantics.same(e, name) }) {
			return p.pattern
		}
	}
	return ""
}

// matchPath matches a folded absolute path, both as it is and relative to each root that contains it. The path is clean, so it has
// one slash at its beginning where that of a share has two.
func (l denyList) matchPath(abs string, roots []*root) (pattern string) {
	for _, p := range l.paths {
		if p.Match(abs) {
			return p.pattern
		}
		for _, r := range roots {
			for dir := range r.spellings() {
				rel, below := strings.CutPrefix(abs, strings.TrimSuffix(path.Clean(l.semantics.fold(dir)), "/")+"/")
				if below && p.Match(rel) {
					return p.pattern
				}
			}
		}
	}
	return ""
}
