package workspace

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

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
	w := &Workspace{semantics: exactSemantics, roots: []*root{{real: "/w"}}}
	var err error
	if w.deny, err = newDenyList(exactSemantics, Options{DefaultDeny: true}, "", w.roots); err != nil {
		t.Fatal(err)
	}
	for i, paths := range []string{
		`
			.git-credentials .npmrc .pypirc .pgpass .my.cnf .s3cfg .htpasswd .vault-token _netrc .netrc
			.envrc .env .env.local id_dsa id_rsa id_ed25519_sk ssh_host_rsa_key ssh_host_ed25519_key
			terraform.tfstate terraform.tfstate.backup .kube/config .docker/config.json a.p12 a.pfx a.jks
			a.keystore a.ppk a.kdbx A.PEM b.key .config/gh/hosts.yml gh/hosts.yml .aws/credentials
			.config/gcloud/credentials.db .config/gcloud/application_default_credentials.json
			.config/gcloud/access_tokens.db .config/gcloud/legacy_credentials/me/adc.json
			.azure/msal_token_cache.json .cargo/credentials .cargo/credentials.toml
			.terraform.d/credentials.tfrc.json .gnupg/pubring.kbx .ssh/config .ssh/id_rsa.pub .dockercfg
		`,
		`
			.env.example .env.sample .Env.Template id_rsa.pub id_ed25519.pub .npmrc.example
			terraform.tfstate.example ssh_host_rsa_key.pub .kube/cache config config.json .docker/Dockerfile
			hosts.yml .cargo/config.toml terraform.tf credentials.go key.go pem env
			.config/gcloud/configurations/x .gitignore .gitconfig notes.md
		`,
	} {
		for p := range strings.FieldsSeq(paths) {
			if denied := w.deniedAbove(path.Join("/w/x", p)); (denied != "") != (i == 0) {
				t.Errorf("%s is denied by %q", p, denied)
			}
		}
	}
}
