package workspace

import (
	"math"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"gander/internal/testkit/fixture"
)

// TestDeny checks that a denied entry can be described, but not opened or entered.
func TestDeny(t *testing.T) { checkTrees(t, "deny") }

// TestDenyAbsolute checks absolute patterns, which may contain symlinks above the roots.
func TestDenyAbsolute(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks in patterns of Windows are not resolved")
	}
	top := fixture.Make(
		t, "real/w/secret/f", "real/w/f", "real/[x]/secret", "alias => real", "other/f",
		"to-other => other",
	)
	for result, patterns := range map[string]string{
		"!denied": "/alias/w/secret /alias/w/secret/** /alias/w/s* /alias/*/secret /real/w/SECRET " +
			"/*/w/secret /{alias,real}/w/secret/**",
		"real/w/secret/f": "/other /to-other/** /w/secret /real/w2 /{other,none}/f",
	} {
		for pattern := range strings.FieldsSeq(patterns) {
			w := mustOpen(t, openNative, Options{Deny: []string{top + pattern}}, top+"/real/w")
			if got, other := readAt(w, "secret/f"), readAt(w, "f"); got != result || other != "real/w/f" {
				t.Errorf("%s: read %s and %s, want %s and real/w/f", pattern, got, other, result)
			}
		}
	}
	o := Options{Deny: []string{top + "/alias/[[]x]/secret"}}
	w := mustOpen(t, openNative, o, top+"/real/[x]")
	if got := readAt(w, "secret"); got != "!denied" {
		t.Errorf("a quoted name: %s", got)
	}
}

// TestDenyQuotedLink checks patterns with quoted characters before or in a symlink above the root.
func TestDenyQuotedLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks in patterns of Windows are not resolved")
	}
	top := fixture.Make(t, "home/a!b => ../data", "home/[x]/y => ../../data", "data/key", "data/f")
	t.Setenv("HOME", top+"/home/a!b")
	for _, pattern := range []string{
		"~/key", "~/k*", top + `/home/a\!b/key`, top + `/home/\[x]/y/key`, top + `/home/a\!b\/key`,
	} {
		w := mustOpen(t, openNative, Options{Deny: []string{pattern}}, top+"/data")
		if got, other := readAt(w, "key"), readAt(w, "f"); got != "!denied" || other != "data/f" {
			t.Errorf("%s: read %s and %s, want !denied and data/f", pattern, got, other)
		}
	}
}

// TestDenyEverything checks that a pattern that denies a whole root is an error.
func TestDenyEverything(t *testing.T) {
	root := fixture.Make(t, "w/f")
	for _, pattern := range []string{
		"**", "*", "/**", "/*", "*/**", "**/*", "?*", "/", "w", "{x,**}", "~/../**",
	} {
		if w, err := Open(Options{Deny: []string{pattern}}, root+"/w"); err == nil {
			t.Errorf("%s is accepted", pattern)
			_ = w.Close()
		}
	}
}

// TestDenyManyLinks checks that a path through many symlinks has few aliases, and that patterns
// match each of them.
func TestDenyManyLinks(t *testing.T) {
	root := fixture.Make(t, "w/l => .", "w/f", "w/d/g")
	for denied, want := range map[string]string{
		"l/l/l/f": "!denied", "l/l/d/g": "w/f", "l/d/f": "w/f",
	} {
		onEach(t, func(t *testing.T, b backend) {
			w := mustOpen(t, b, Options{Deny: []string{denied}}, root+"/w")
			start := time.Now()
			if got := readAt(w, strings.Repeat("l/", maxLinks)+"f"); got != want {
				t.Errorf("%s is denied: %s", denied, got)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestDenyInDirectory checks that an open directory lists denied entries but opens none.
func TestDenyInDirectory(t *testing.T) {
	root := fixture.Make(
		t, "d/.ssh/id", "d/f.pem", "d/f", "d/x/y", "d/s.pem => f", "d/t => f.pem", "d/dir.pem => x",
	)
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{Deny: []string{"**/.ssh/**", "**/*.pem", "d/x/y"}}, root)
		d := mustFind(t, w, "d")
		names, err := namesOf(d)
		if want := []string{".ssh/", "dir.pem@", "f", "f.pem", "s.pem@", "t@", "x/"}; err != nil ||
			!slices.Equal(names, want) {
			t.Errorf("got %q, %v; want %q", names, err, want)
		}
		x := Must(d.Open("x"))
		defer x.Close()
		for _, tt := range []struct {
			dir        *Dir
			name, want string // results of Open and File
		}{
			{d, ".ssh", "!denied !denied"},
			{d, "f.pem", "!denied !denied"},
			{d, "s.pem", "!denied !denied"},
			{d, "dir.pem", "!denied !denied"},
			{d, "t", "!notdir !notreg"},
			{d, "f", "!notdir !none"},
			{d, "x", "!none !isdir"},
			{x, "y", "!denied !denied"},
		} {
			dir, file := closed(tt.dir.Open(tt.name)), closed(tt.dir.File(tt.name, Unknown))
			if got := word(dir) + " " + word(file); got != tt.want {
				t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
			}
			if _, err := tt.dir.Lstat(tt.name); err != nil {
				t.Errorf("Lstat of %s: %v", tt.name, err)
			}
		}
		if info, err := d.Stat(t.Context(), "t"); err != nil || info.Kind != Regular {
			t.Errorf("Stat of a link to a denied file: %v, %v", info, err)
		}
		d.Release()
		if _, err := d.Open(".ssh"); word(err) != "!denied" {
			t.Errorf("after Release: %v", err)
		}
	})
}

// denying returns a workspace with deny patterns that opens nothing, with one root if any.
func denying(s pathSemantics, o Options, spellings ...string) (*Workspace, error) {
	w := &Workspace{semantics: s}
	if len(spellings) > 0 {
		w.roots = []*root{{paths: spellings}}
	}
	var err error
	w.deny, err = newDenyList(s, o, "/home/me", w.roots)
	return w, err
}

// TestDenyMatch has the spellings of a root, a pattern, and paths relative to the root that the
// pattern matches and does not match.
func TestDenyMatch(t *testing.T) {
	for _, row := range rows("denied") {
		if runtime.GOOS == "windows" && row[0] != "windows" {
			continue // Windows resolves the links of such a path to a path with backslashes.
		}
		spellings := strings.Fields(row[1])
		o := Options{Deny: []string{row[2]}}
		w, err := denying(allSemantics()[row[0]], o, spellings...)
		if err != nil {
			t.Error(err)
			continue
		}
		for i, paths := range row[3:] {
			for p := range strings.FieldsSeq(paths) {
				denied := slices.ContainsFunc(spellings, func(dir string) bool {
					return w.deny.matchPath(joinPath(dir, p), math.MaxInt) != ""
				})
				if denied != (i == 0) {
					t.Errorf("%s: %s denies %s: %v", row[0], row[2], p, denied)
				}
			}
		}
	}
}

// TestDenyInvalid has patterns that match no path and their errors.
func TestDenyInvalid(t *testing.T) {
	for _, row := range rows("invalid") {
		_, err := denying(allSemantics()[row[0]], Options{Deny: []string{row[1]}})
		if err == nil || !strings.HasSuffix(err.Error(), ": "+row[2]) {
			t.Errorf("%q: got %v, want %s", row[1], err, row[2])
		}
	}
}

// TestExceptions has deny patterns with exceptions, and which of the paths they leave open.
func TestExceptions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no names that differ in their case, and few links")
	}
	const accents = "e\u0301.pem" // not composed
	top := fixture.Make(t,
		"w/a.pem", "w/t/a.pem", "w/t/A.pem", "w/t/sub/b.pem", "w/t/.ssh/id", "w/"+accents,
		"w/link => t", "w/t/out => ../a.pem", "w/in.pem => t/a.pem", "w/to => t/a.pem", "root => w",
	)
	paths := []string{
		"a.pem", "t/a.pem", "t/A.pem", "t/sub/b.pem", "t/.ssh/id", accents, "link/a.pem", "t/out",
		"in.pem", "to", "t/../t/a.pem", "link/../t/a.pem",
	}
	const inT = "t/a.pem t/A.pem t/sub/b.pem t/.ssh/id to t/../t/a.pem link/../t/a.pem"
	for patterns, want := range map[string]string{
		"*.pem .ssh !t/**":              inT,
		"*.pem .ssh !/t/**":             inT,
		"*.pem .ssh !{top}/root/t/**":   inT,
		"*.pem .ssh !**/t/**":           inT,
		"*.pem .ssh !{x,t}/**":          inT,
		"*.pem .ssh !t/** t/sub":        strings.Replace(inT, "t/sub/b.pem ", "", 1),
		"*.pem .ssh !t":                 "",
		"t !t/a.pem":                    "a.pem " + accents,
		"t !t":                          "a.pem " + accents,
		"t *.pem !t !t/a.pem":           "t/a.pem to t/../t/a.pem link/../t/a.pem",
		"t/** *.pem !t !t/a.pem":        "t/a.pem to t/../t/a.pem link/../t/a.pem",
		"*.pem **/.ssh/** !t/**":        inT,
		"*.pem **/.ssh/** !.ssh":        "",
		"*.pem .ssh !a.pem":             "a.pem t/a.pem link/a.pem t/out to t/../t/a.pem link/../t/a.pem",
		"*.pem .ssh !A.PEM !\u00e9.pem": "",
		"*.pem .ssh !" + accents:        accents,
		"*.pem .ssh !*.pem *.PEM":       "",
		"./* !t/**":                     "t/a.pem t/A.pem t/sub/b.pem t/.ssh/id t/../t/a.pem",
	} {
		want := strings.Fields(want)
		deny := strings.Fields(strings.ReplaceAll(patterns, "{top}", top))
		onEach(t, func(t *testing.T, b backend) {
			w := mustOpen(t, b, Options{Deny: deny}, top+"/root")
			for _, p := range paths {
				if got := readAt(w, p); (got == "!denied") == slices.Contains(want, p) {
					t.Errorf("%s: %s is %s", patterns, p, got)
				}
			}
		})
	}
	for pattern, want := range map[string]string{
		"!t/": `it opens nothing in the directory; write "!t/**"`, "!": "it is empty",
		"!!x": `"!" does not negate here; write "\!" for a name that begins with it`,
	} {
		_, err := denying(exactSemantics, Options{Deny: []string{"x", pattern}})
		if err == nil || err.Error() != "deny pattern "+strconv.Quote(pattern)+": "+want {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// TestDefaultDenyDocumented compares the table in SECURITY.md with the default patterns.
func TestDefaultDenyDocumented(t *testing.T) {
	document := Must(os.ReadFile("../../../SECURITY.md"))
	_, table, _ := strings.Cut(string(document), "\n## Default deny patterns\n")
	_, table, _ = strings.Cut(table, "| --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var documented []string
	for pattern := range strings.FieldsSeq(table) {
		if strings.HasPrefix(pattern, "`") {
			documented = append(documented, strings.Trim(pattern, "`"))
		}
	}
	if want := strings.Fields(defaultDeny); !slices.Equal(documented, want) {
		t.Errorf("got\n%q\nwant\n%q", documented, want)
	}
}

// TestDefaultDeny checks which files the default patterns deny.
func TestDefaultDeny(t *testing.T) {
	w := Must(denying(exactSemantics, Options{DefaultDeny: true}, "/w"))
	for i, paths := range []string{
		`
			.git-credentials .npmrc .pypirc .pgpass .my.cnf .s3cfg .htpasswd .vault-token _netrc .netrc
			.envrc .env .env.local prod.env db.ENV example.prod.env id_dsa id_rsa id_ed25519_sk ssh_host_rsa_key ssh_host_ed25519_key
			terraform.tfstate terraform.tfstate.backup .kube/config .docker/config.json a.p12 a.pfx a.jks
			a.keystore a.ppk a.kdbx A.PEM b.key .config/gh/hosts.yml gh/hosts.yml .aws/credentials
			.config/gcloud/credentials.db .config/gcloud/application_default_credentials.json
			.config/gcloud/access_tokens.db .config/gcloud/legacy_credentials/me/adc.json
			.azure/msal_token_cache.json .cargo/credentials .cargo/credentials.toml
			credentials.json secrets/Credentials.json client_secret_1.apps.googleusercontent.com.json
			my-service-account.json prod_service_account_key.json kubeconfig prod.kubeconfig
			.dockerconfigjson .config/containers/auth.json .terraformrc terraform.rc
			.config/rclone/rclone.conf rclone.conf office.ovpn AuthKey_1.p8 host.keytab safe.psafe3 .boto
			.passwd-s3fs .databrickscfg .kaggle/kaggle.json .config/filezilla/sitemanager.xml
			.config/filezilla/recentservers.xml .msmtprc .fetchmailrc .m2/settings-security.xml
			.composer/auth.json .config/glab-cli/config.yml .password-store/web/a.gpg .bash_history
			.psql_history .codex/auth.json .claude/.credentials.json .gemini/oauth_creds.json
			.terraform.d/credentials.tfrc.json .gnupg/pubring.kbx .ssh/config .ssh/id_rsa.pub .dockercfg
		`,
		`
			.env.example .env.sample .Env.Template example.env app.Sample.env prod.env.example env.go id_rsa.pub id_ed25519.pub .npmrc.example
			terraform.tfstate.example ssh_host_rsa_key.pub .kube/cache config config.json .docker/Dockerfile
			hosts.yml .cargo/config.toml terraform.tf credentials.go key.go pem env
			client_secret.go service-account.yaml serviceaccounts.json auth.json src/auth.json server.crt
			ca.der release.asc config.yml prod.tfvars settings.xml nuget.config secrets.go token.go
			credentials.json.example kube/config.go docker/config.json rclone.conf.sample history.md
			credentials_test.json .claude/settings.json .codex/config.toml
			.config/gcloud/configurations/x .gitignore .gitconfig notes.md
		`,
	} {
		for p := range strings.FieldsSeq(paths) {
			if denied := w.deny.matchPath(path.Join("/w/x", p), math.MaxInt); (denied != "") != (i == 0) {
				t.Errorf("%s is denied by %q", p, denied)
			}
		}
	}
}

// TestDenyAlike checks that no spelling of a name escapes a pattern in another one: with accents
// composed or not, other spaces or quotation marks. Patterns with classes and links above the root
// are matched as they are written, too.
func TestDenyAlike(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks in patterns of Windows are not resolved")
	}
	forms := []func(string) string{norm.NFC.String, norm.NFD.String}
	for _, name := range []string{"été d’hiver\u202fx", "été d'hiver x", "été d‘hiver\u00a0x"} {
		for _, stored := range forms {
			for _, written := range forms {
				top := fixture.Make(t, "r/"+stored(name)+"/f", "r/g")
				w := mustOpen(t, openNative, Options{Deny: []string{written("été d’hiver x")}}, top+"/r")
				if got := readAt(w, stored(name)+"/f"); got != "!denied" {
					t.Errorf("%q: read %s", stored(name), got)
				}
			}
		}
	}
	top := fixture.Make(t, "r/"+norm.NFD.String("é")+".txt", "d’a\u00a0b => r", "r/secret")
	for name, patterns := range map[string][]string{
		norm.NFD.String("é") + ".txt": {"e?.txt", "[!z]?.txt", "é.txt"},
		"secret":                      {top + "/d’a\u00a0b/secret", top + "/d’a\u00a0b/[!x]ecret"},
	} {
		for _, pattern := range patterns {
			w := mustOpen(t, openNative, Options{Deny: []string{pattern}}, top+"/r")
			if got := readAt(w, name); got != "!denied" {
				t.Errorf("%q: read %s", pattern, got)
			}
		}
	}
}
