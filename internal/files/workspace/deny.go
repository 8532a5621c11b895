package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/option"
)

// A denyRule is an alternative of a deny pattern, or of an exception.
type denyRule struct {
	written string           // the pattern as given
	name    *pattern.Pattern // matches the names of entries
	path    *pattern.Pattern // matches their absolute paths without the first slash; nil matches all
	exact   bool             // names and paths are matched with regard to case: [!a] matches A
	builtIn bool             // samples and public keys are exempt
	except  bool             // a path that the rule matches is open; it is exact
}

// A denyList is the deny rules of a workspace. The last rule that matches a path decides about it.
// An entry is denied if one of its paths is.
type denyList struct {
	semantics pathSemantics
	home      string // the directory that ~ expands to
	roots     []*root
	rules     []denyRule

	// coversASCII reports that patterns which match a name also match all ASCII spellings of it, such
	// as "conflict" if a file has the ligature of f and l.
	coversASCII bool
	excepts     bool // it has exceptions
}

// defaultDeny contains the patterns that [Options.DefaultDeny] adds: files that are secret by their
// nature. They do not match samples and public keys; see isExempt.
const defaultDeny = `
	**/.ssh/** **/id_rsa* **/id_dsa* **/id_ecdsa* **/id_ed25519* **/ssh_host_*_key **/*.ppk
	**/*.pem **/*.key **/*.p8 **/*.p12 **/*.pfx **/*.pkcs12 **/*.jks **/*.keystore **/*.keytab
	**/*.kdb **/*.kdbx **/*.psafe3 **/.gnupg/** **/.password-store/**
	**/*.env **/.env **/.env.* **/.envrc
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

// isExempt reports whether a name is that of a sample, such as .env.example or example.env, or of a
// public key.
func isExempt(name string) bool {
	stem, isEnvironment := strings.CutSuffix(name, ".env")
	if isEnvironment {
		name = "." + stem
	}
	return slices.Contains([]string{".example", ".sample", ".template", ".pub"}, path.Ext(name))
}

func newDenyList(s pathSemantics, o Options, home string, roots []*root) (*denyList, error) {
	l := &denyList{
		semantics: s, home: home, roots: roots, coversASCII: true,
		excepts: slices.ContainsFunc(o.Deny, func(p string) bool { return strings.HasPrefix(p, "!") }),
	}
	var builtIn []string
	if o.DefaultDeny {
		builtIn = strings.Fields(defaultDeny)
	}
	for i, written := range slices.Concat(builtIn, o.Deny) {
		if err := l.add(written, i < len(builtIn)); err != nil {
			return nil, denyError(written, err)
		}
	}
	return l, nil
}

func denyError(pattern string, err error) error {
	err = fmt.Errorf("deny pattern %q: %w", pattern, err)
	return &option.Error{Option: "Deny", Value: pattern, Err: err}
}

// add adds the rules of a pattern, which is an exception if it begins with "!".
func (l *denyList) add(written string, builtIn bool) error {
	positive, except := strings.CutPrefix(written, "!")
	if except {
		if err := l.checkException(positive); err != nil {
			return err
		}
	}
	c := pattern.NewCompiler(context.Background())
	alternatives, err := c.Alternatives(l.semantics.compose(l.semantics.slashGlob(positive)))
	if err != nil {
		return err
	}
	for _, alternative := range alternatives {
		if hasSlashInClass(alternative) {
			return errors.New(`a class never matches "/"; leave it out`)
		}
		globs, err := l.place(alternative)
		if err != nil {
			return err
		}
		for _, glob := range globs {
			if real := l.resolveGlob(glob); real != glob {
				globs = append(globs, real)
			}
		}
		if l.reachesBelow(alternative, except, builtIn) {
			for _, glob := range globs {
				globs = append(globs, glob+"/**")
			}
		}
		for _, glob := range globs {
			rule := denyRule{
				written: written, builtIn: builtIn && !strings.HasSuffix(glob, "/**"),
				exact: except, except: except,
			}
			if err := l.compile(rule, glob); err != nil {
				return err
			}
		}
	}
	return nil
}

// reachesBelow reports whether a pattern needs a rule for what is below the entries that it
// matches. An exception has one if it says so. Below a denied directory everything is out of reach,
// but once there are exceptions, one can open the directory, and no more.
func (l *denyList) reachesBelow(alternative string, except, builtIn bool) bool {
	saysSo := strings.HasSuffix(alternative, "/**") // which place cuts off
	if except || builtIn {
		return saysSo && l.excepts
	}
	return l.excepts
}

// checkException returns an error for an exception that cannot do what it seems to.
func (l *denyList) checkException(glob string) error {
	switch {
	case len(l.rules) == 0:
		return errors.New("no pattern before the exception denies anything; put it after one")
	case strings.HasSuffix(glob, "/"):
		return fmt.Errorf(`it opens nothing in the directory; write "!%s**"`, glob)
	}
	return nil
}

// quotedOrClass matches a quoted character or a class in a glob without braces.
var quotedOrClass = regexp.MustCompile(`(?s)\\.|\[[!^]?(\\.|[^\\])(\\.|[^\\\]])*\]`)

// hasSlashInClass reports whether a class of a glob contains a slash. The components of such a glob
// could not be told apart at its slashes.
func hasSlashInClass(glob string) bool {
	return slices.ContainsFunc(quotedOrClass.FindAllString(glob, -1), func(s string) bool {
		return s[0] == '[' && strings.Contains(s, "/")
	})
}

// compile adds a rule for a glob without braces.
func (l *denyList) compile(rule denyRule, glob string) (err error) {
	if rule.except || strings.ContainsAny(glob, "?[") || !text.ASCII(glob) {
		l.coversASCII = false
	}
	c, given := pattern.NewCompiler(context.Background()), glob
	if !rule.exact {
		glob = text.Plain(given)
	}
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
	}
	l.rules = append(l.rules, rule)
	if !rule.exact && l.semantics == exactSemantics && strings.Contains(glob, "[") {
		rule.exact, rule.path = true, nil
		return l.compile(rule, given)
	}
	return nil
}

// check returns a [DeniedError] if a pattern matches the entry called name in a directory with the
// absolute paths dirs. The directories above the entry were checked when they were opened.
func (l *denyList) check(dirs []string, name string) error {
	if p := l.match(dirs, name); p != "" {
		return &DeniedError{p}
	}
	return nil
}

// matchPath returns the pattern, if any, that matches an absolute path, or the path of one of the
// directories above it. It checks the last n components.
func (l *denyList) matchPath(abs string, n int) string {
	for ; n > 0 && abs != "/"; n-- {
		dir := parentPath(abs)
		if p := l.match([]string{dir}, abs[strings.LastIndexByte(abs, '/')+1:]); p != "" {
			return p
		}
		abs = dir
	}
	return ""
}

// match returns the pattern, if any, that matches the entry called name in a directory with the
// absolute paths dirs. Patterns with classes and "?" also match the form that is only folded, which
// has other characters.
func (l *denyList) match(dirs []string, name string) string {
	p := l.matchForm(text.Alike, dirs, name)
	isOther := func(s string) bool { return !text.ASCII(s) }
	if p == "" && (isOther(name) || slices.ContainsFunc(dirs, isOther)) {
		p = l.matchForm(text.Fold, dirs, name)
	}
	return p
}

// matchForm is match for one form of names and paths. An exception that matches a path removes that
// from dirs, so that an earlier rule can deny the entry by its other paths only.
func (l *denyList) matchForm(form func(string) string, dirs []string, name string) string {
	folded := form(name)
	for i := range slices.Backward(l.rules) {
		rule, name := &l.rules[i], name
		if !rule.exact {
			name = folded
		}
		if !pattern.Match(new(pattern.Work), rule.name, name) {
			continue
		}
		if rule.builtIn && isExempt(folded) {
			continue
		}
		inDir := func(dir string) bool {
			return rule.path == nil || l.applies(form, rule, joinPath(dir, name))
		}
		switch {
		case rule.except:
			dirs = slices.DeleteFunc(slices.Clone(dirs), inDir)
			if len(dirs) == 0 {
				return ""
			}
		case slices.ContainsFunc(dirs, inDir):
			return rule.written
		}
	}
	return ""
}

func (l *denyList) applies(form func(string) string, rule *denyRule, abs string) bool {
	abs = l.semantics.trimDevice(abs)
	if !rule.exact {
		abs = form(abs)
	}
	return pattern.Match(new(pattern.Work), rule.path, strings.TrimLeft(abs, "/"))
}
