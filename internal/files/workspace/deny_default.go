package workspace

// A DenyDefault is a group of default deny patterns.
type DenyDefault struct {
	Reason   string
	Patterns []string
}

// DefaultDeny returns the patterns that [Options.DefaultDeny] adds: files that are secret by their
// nature. They do not match names that end in .example, .sample, .template or .pub.
func DefaultDeny() []DenyDefault {
	return []DenyDefault{
		{"SSH keys", []string{
			"**/.ssh/**", "**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*", "**/ssh_host_*_key",
			"**/*.ppk",
		}},
		{"private keys and key stores", []string{
			"**/*.pem", "**/*.key", "**/*.p12", "**/*.pfx", "**/*.pkcs12", "**/*.jks", "**/*.keystore",
			"**/*.kdb", "**/*.kdbx",
			"**/.gnupg/**",
		}},
		{"environments, which hold tokens and passwords", []string{"**/.env", "**/.env.*", "**/.envrc"}},
		{"passwords and tokens for servers and databases", []string{
			"**/.netrc", "**/_netrc", "**/.git-credentials", "**/.pgpass", "**/.my.cnf", "**/.mylogin.cnf",
			"**/.htpasswd",
			"**/.vault-token",
		}},
		{"tokens for package registries", []string{
			"**/.npmrc", "**/.pypirc", "**/.cargo/credentials*", "**/.gem/credentials",
		}},
		{"credentials of cloud services and their tools", []string{
			"**/.aws/**", "**/.azure/**", "**/gcloud/*credentials*", "**/gcloud/access_tokens.db",
			"**/gcloud/legacy_credentials/**",
			"**/.s3cfg", "**/.kube/config", "**/.docker/config.json", "**/.dockercfg", "**/gh/hosts.yml",
			"**/terraform.tfstate*",
			"**/credentials.tfrc.json",
		}},
	}
}
