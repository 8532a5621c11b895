package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/option"
)

// A denyRule is an alternative of a deny pattern.
type denyRule struct {
	written string           // the pattern as given
	name    *pattern.Pattern // matches the names of the entries to deny
	path    *pattern.Pattern // matches their paths relative to one of bases; nil matches all
	bases   []string         // see baseOf
	exact   bool             // names and paths are matched with regard to case: [!a] matches A
	builtIn bool             // samples and public keys are exempt
}

// A denyList is the deny rules of a workspace.
type denyList struct {
	semantics pathSemantics
	home      string // the directory that ~ expands to
	roots     []*root
	rules     []denyRule
	names     map[string]string // the patterns of rules that match a single name, by that name

	// coversASCII reports that patterns which match a name also match all ASCII spellings of it, such
	// as "conflict" if a file has the ligature of f and l.
	coversASCII bool
}

// defaultDeny contains the patterns that [Options.DefaultDeny] adds: files that are secret by their
// nature. They do not match names that end in .example, .sample, .template or .pub.
const defaultDeny = `
	**/.ssh/** **/id_rsa* **/id_dsa* **/id_ecdsa* **/id_ed25519* **/ssh_host_*_key **/*.ppk
	**/*.pem **/*.key **/*.p8 **/*.p12 **/*.pfx **/*.pkcs12 **/*.jks **/*.keystore **/*.keytab
	**/*.kdb **/*.kdbx **/*.psafe3 **/.gnupg/** **/.password-store/**
	**/.env **/.env.* **/.envrc
	**/.netrc **/_netrc **/.git-credentials **/.pgpass **/.my.cnf **/.mylogin.cnf **/.htpasswd
	**/.vault-token **/*.ovpn **/.msmtprc **/.fetchmailrc **/sitemanager.xml **/recentservers.xml
	**/.*_history
	**/.npmrc **/.pypirc **/.cargo/credentials* **/.gem/credentials **/.composer/auth.json
	**/.m2/settings-security.xml
	**/.aws/** **/.azure/** **/gcloud/*credentials* **/gcloud/access_tokens.db
	**/gcloud/legacy_credentials/** **/.s3cfg **/.kube/config **/.docker/config.json **/.dockercfg
	**/.dockerconfigjson **/containers/auth.json **/kubeconfig **/*.kubeconfig **/gh/hosts.yml
	**/glab-cli/config.yml **/terraform.tfstate* **/credentials.tfrc.json **/.terraformrc
	**/terraform.rc **/rclone.conf **/.boto **/.passwd-s3fs **/.databrickscfg **/kaggle.json
	**/credentials.json **/client_secret*.json **/*service-account*.json **/*service_account*.json
	**/.codex/auth.json **/.claude/.credentials.json **/.gemini/oauth_creds.json
`

func newDenyList(s pathSemantics, o Options, home string, roots []*root) (*denyList, error) {
	l := &denyList{
		semantics: s, home: home, roots: roots, names: map[string]string{}, coversASCII: true,
	}
	var builtIn []string
	if o.DefaultDeny {
		builtIn = strings.Fields(defaultDeny)
	}
	for i, written := range slices.Concat(builtIn, o.Deny) {
		if err := l.add(written, i < len(builtIn)); err != nil {
			return nil, denyError(written, err)
		}
		if strings.ContainsAny(written, "?[") || !text.ASCII([]byte(written)) {
			l.coversASCII = false
		}
	}
	return l, nil
}

func denyError(pattern string, err error) error {
	err = fmt.Errorf("deny pattern %q: %w", pattern, err)
	return &option.Error{Option: "Deny", Value: pattern, Err: err}
}

func (l *denyList) add(written string, builtIn bool) error {
	c := pattern.NewCompiler(context.Background())
	alternatives, err := c.Alternatives(l.semantics.compose(l.semantics.slashGlob(written)))
	if err != nil {
		return err
	}
	for _, glob := range alternatives {
		rule := denyRule{written: written, builtIn: builtIn}
		rule.bases, glob, err = l.place(glob)
		if err != nil {
			return err
		}
		if err := l.compile(c, rule, glob); err != nil {
			return err
		}
		if real := l.resolveGlob(glob); slices.Contains(rule.bases, "") && real != glob {
			rule.bases = []string{""}
			if err := l.compile(c, rule, real); err != nil {
				return err
			}
		}
	}
	return nil
}

// place determines the bases of a glob without braces, and returns it relative to them.
func (l *denyList) place(glob string) (bases []string, rest string, err error) {
	windows := l.semantics == windowsSemantics
	if windows {
		if unc, ok := strings.CutPrefix(glob, "//?/UNC/"); ok {
			glob = "//" + unc
		}
		glob = strings.TrimPrefix(glob, "//?/")
	}
	share := windows && strings.HasPrefix(glob, "//")
	for strings.Contains(glob, "//") {
		glob = strings.ReplaceAll(glob, "//", "/")
	}
	anyDepth := !strings.Contains(strings.TrimRight(glob, "/"), "/")
	for strings.HasPrefix(glob, "./") && len(glob) > 2 {
		glob = glob[2:]
	}
	glob = strings.TrimSuffix(glob, "/")
	if glob == "" {
		return nil, "", errors.New(`it matches everything; write a directory below "/"`)
	}
	for strings.HasSuffix(glob, "/**") { // entries below a denied directory are out of reach
		glob = strings.TrimSuffix(glob, "/**")
	}
	bases, tops := l.bases()
	anywhere := []string{""}
	rest, absolute := strings.CutPrefix(glob, "/")
	switch {
	case glob == "~" || strings.HasPrefix(glob, "~/"):
		if l.home == "" {
			return nil, "", errors.New(`the home directory is unknown; write the path in full`)
		}
		home := strings.TrimLeft(l.semantics.slashed(l.home), "/")
		return anywhere, quoteGlob(home) + glob[1:], nil
	case windows && drivePrefix.MatchString(glob):
		if !strings.HasPrefix(glob[2:], "/") {
			err = fmt.Errorf("it is relative to the current directory of a drive; write %q",
				glob[:2]+"/"+glob[2:])
		}
		return anywhere, glob[:1] + `\:` + glob[2:], err
	case share:
		return anywhere, rest, nil
	case absolute:
		return slices.Compact(append(bases, tops...)), rest, nil
	case anyDepth:
		return anywhere, "**/" + glob, nil
	case strings.HasPrefix(glob, "**/"):
		return anywhere, glob, nil
	default:
		return bases, glob, nil
	}
}

// drivePrefix matches a path on a drive of Windows.
var drivePrefix = regexp.MustCompile(`^[A-Za-z]:`)

// bases returns the bases of the roots, and those of the tops of their file systems.
func (l *denyList) bases() (roots, tops []string) {
	for _, r := range l.roots {
		for _, dir := range r.absolutePaths() {
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

// compile adds a rule for a glob without braces.
func (l *denyList) compile(c *pattern.Compiler, rule denyRule, glob string) (err error) {
	name := glob[strings.LastIndexByte(glob, '/')+1:]
	rule.name, err = c.Compile(pattern.Path, name, !rule.exact)
	if err != nil {
		return err
	}
	if glob != "**/"+name {
		rule.path, err = c.Compile(pattern.Path, glob, !rule.exact)
		if err != nil {
			return err
		}
	} else if !strings.ContainsAny(name, `*?[\`) {
		l.names[l.fold(name)] = rule.written
		return nil
	}
	l.rules = append(l.rules, rule)
	if !rule.exact && l.semantics == exactSemantics && strings.Contains(glob, "[") {
		rule.exact, rule.path = true, nil
		return l.compile(c, rule, glob)
	}
	return nil
}

// fold returns the form of a name or path that patterns are matched with.
func (l *denyList) fold(s string) string { return text.Fold(l.semantics.compose(s)) }

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
			return strings.HasPrefix(real+"/", strings.TrimSuffix(r.real, "/")+"/")
		}) {
			break
		}
	}
	real = quoteGlob(l.semantics.compose(l.semantics.slashed(real)))
	return strings.TrimPrefix(joinPath(real, glob[size:]), "/")
}

// denied returns a [DeniedError] if a pattern matches the entry called name in the directory at dir
// below r, or in one of aliases, other absolute paths of dir. The directories above the entry were
// checked when they were opened.
func (w *Workspace) denied(r *root, dir, name string, aliases []string) error {
	if p := w.deny.match(joinPath(r.real, dir), name, aliases); p != "" {
		return &DeniedError{p}
	}
	return nil
}

// deniedAbove returns the pattern, if any, that denies an absolute path or a directory above it.
func (w *Workspace) deniedAbove(abs string) string {
	for abs != "/" {
		dir := parentPath(abs)
		if p := w.deny.match(dir, abs[strings.LastIndexByte(abs, '/')+1:], nil); p != "" {
			return p
		}
		abs = dir
	}
	return ""
}

// match returns the pattern, if any, that matches the entry called name in the directory at the
// absolute path dir or in one of aliases.
func (l *denyList) match(dir, name string, aliases []string) string {
	folded := l.fold(name)
	if p, ok := l.names[folded]; ok {
		return p
	}
	exempt := slices.Contains([]string{".example", ".sample", ".template", ".pub"}, path.Ext(folded))
	for i := range l.rules {
		rule, name := &l.rules[i], name
		if !rule.exact {
			name = folded
		}
		if rule.builtIn && exempt || !pattern.Match(new(pattern.Work), rule.name, name) {
			continue
		}
		inDir := func(dir string) bool { return l.matchPath(rule, joinPath(dir, name)) }
		if rule.path == nil || inDir(dir) || slices.ContainsFunc(aliases, inDir) {
			return rule.written
		}
	}
	return ""
}

func (l *denyList) matchPath(rule *denyRule, abs string) bool {
	fold := l.fold
	if rule.exact {
		fold = func(s string) string { return s }
	}
	abs = strings.TrimLeft(fold(abs), "/")
	return slices.ContainsFunc(rule.bases, func(base string) bool {
		rel, ok := strings.CutPrefix(abs, fold(base))
		return ok && pattern.Match(new(pattern.Work), rule.path, rel)
	})
}
