// Command rename gives the module and everything that is published the names of an owner:
//
//	go run ./release/rename github.com/acme/gander acme
//
// It changes the tracked files of the clone in which it runs, and prints how many. Commit or
// discard the changes with git. It can be run again with other names.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

// source is the module path of a clone that has no owner.
const source = "gander"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./release/rename MODULE OWNER\n"+
			"MODULE is a path such as github.com/acme/gander, OWNER an account such as acme")
		os.Exit(2)
	}
	changed, err := rename(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed; read them with git diff, and run .ci/run\n", changed)
}

// rename changes the files of the working directory, and returns how many it has changed. If it
// returns an error before it writes, it has changed none.
func rename(module, owner string) (changed int, err error) {
	if err := check(module, owner); err != nil {
		return 0, err
	}
	old, err := current()
	if err != nil {
		return 0, err
	}
	files, err := tracked()
	if err != nil {
		return 0, err
	}
	r := newRenamer(old, names{module, owner}, files)
	renamed := make(map[string]string)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		after, err := r.rename(file, string(text))
		if err != nil {
			return 0, err
		}
		if after != string(text) {
			renamed[file] = after
		}
	}
	for file, text := range renamed {
		if err := overwrite(file, text); err != nil {
			return 0, err
		}
	}
	return len(renamed), nil
}

// overwrite replaces the content of a file and keeps its permissions.
func overwrite(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// check returns an error if a name cannot be used everywhere.
func check(module, owner string) error {
	host, _, _ := strings.Cut(module, "/")
	isPath := regexp.MustCompile(`^[a-z0-9.-]+(/[A-Za-z0-9._-]+)*/gander$`).MatchString(module)
	if !isPath || !strings.Contains(host, ".") {
		return fmt.Errorf("%q is not a module path; give one such as github.com/acme/gander, "+
			"which ends in the name of the program", module)
	}
	if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(owner) {
		return fmt.Errorf("%q cannot be an npm scope and part of the name of a container; "+
			"give lower case letters, digits and single hyphens", owner)
	}
	return nil
}

// names are the names of a module and its publications.
type names struct{ module, owner string }

// current returns the names in go.mod and server.json.
func current() (names, error) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		return names{}, errors.New("this is not gander's source directory; run the command there")
	}
	module, ok := strings.CutPrefix(firstLine(text), "module ")
	if !ok {
		return names{}, errors.New("go.mod: the first line must name the module")
	}
	var entry struct {
		Packages []struct{ RegistryType, Identifier string }
	}
	text, err = os.ReadFile("server.json")
	if err == nil {
		err = json.Unmarshal(text, &entry)
	}
	if err != nil {
		return names{}, fmt.Errorf("server.json: %w", err)
	}
	for _, p := range entry.Packages {
		scope, _, scoped := strings.Cut(strings.TrimPrefix(p.Identifier, "@"), "/")
		if p.RegistryType == "npm" && scoped {
			return names{module, scope}, nil
		}
	}
	return names{}, errors.New("server.json: no npm package names the owner")
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

// published returns the names in files that stand for the owner, the longest of each kind first.
// The names of nobody are those of example.com.
func (n names) published() []string {
	host, _, _ := strings.Cut(n.module, "/")
	site, account, page, forge := n.module, n.owner, host+"/"+n.owner, host
	image, server, mail := page, reversed(host), "gander@"+host
	switch {
	case n.module == source:
		site, account, page, forge = "example.com/gander", "OWNER", "example.com", "example"
		image, server, mail = "registry.example.com", "com.example", "gander@example.com"
	case host == "github.com":
		forge = "github"
		image, server = "ghcr.io/"+n.owner, "io.github."+n.owner
		mail = n.owner + "@users.noreply.github.com"
	}
	publisher := strings.ToUpper(n.owner[:1]) + n.owner[1:]
	return []string{
		image + "/gander", "https://" + site, server + "/gander", mail, `"source": "` + forge + `"`,
		"publisher_url: https://" + page,
		"publisher: " + publisher, "package_identifier: " + publisher + ".gander",
		"bucket add " + n.owner + " ", "owner: " + n.owner, "@" + n.owner + "/gander", `"@` + n.owner +
			`"`,
		account + "-gander", account + "/gander", n.owner + "-gander-",
		n.owner + "/tap", "https://" + page + "/scoop-bucket",
		"install " + publisher + ".gander",
	}
}

func reversed(host string) string {
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".")
}

// tracked returns the paths of the regular files that git knows.
func tracked() ([]string, error) {
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w; run the command in a clone", err)
	}
	var files []string
	for file := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		info, err := os.Lstat(file)
		if err == nil && info.Mode().IsRegular() {
			files = append(files, file)
		}
	}
	return files, nil
}

// A renamer renames text.
type renamer struct {
	old, new  names
	rules     []rule // for a module without an owner, whose name is a common word
	published *strings.Replacer
}

// A rule renames the module where its name can mean nothing else.
type rule struct {
	where *regexp.Regexp
	to    string
}

func newRenamer(old, changed names, files []string) renamer {
	var pairs []string
	for i, name := range old.published() {
		pairs = append(pairs, name, changed.published()[i])
	}
	folders := make(map[string]bool)
	for _, file := range files {
		folder, _, below := strings.Cut(file, "/")
		if below && path.Ext(file) == ".go" {
			folders[regexp.QuoteMeta(folder)] = true
		}
	}
	packages := strings.Join(slices.Sorted(maps.Keys(folders)), "|")
	to := changed.module
	return renamer{old: old, new: changed, published: strings.NewReplacer(pairs...), rules: []rule{
		{regexp.MustCompile(`(?m)^((?:import |\t)(?:[_.] |gander )?")gander"$`), "${1}" + to + `"`},
		{regexp.MustCompile(`"gander/(` + packages + `)\b`), `"` + to + "/$1"},
		{regexp.MustCompile("`gander/(" + packages + ")\\b"), "`" + to + "/$1"},
		{regexp.MustCompile(`-X gander/`), "-X " + to + "/"},
		{regexp.MustCompile(`(?m)^module gander\b`), "module " + to},
		{regexp.MustCompile(`(?m)^\tgander v0\.0\.0$`), "\t" + to + " v0.0.0"},
		{regexp.MustCompile(`(?m)^replace gander =>`), "replace " + to + " =>"},
	}}
}

// rename returns the text of a file with the new names.
func (r renamer) rename(file, text string) (string, error) {
	if strings.ContainsRune(text, 0) || strings.HasPrefix(file, "release/rename/") {
		return text, nil
	}
	if r.old.module != source {
		text = strings.ReplaceAll(text, r.old.module, r.new.module)
		return r.published.Replace(text), nil
	}
	for _, rule := range r.rules {
		text = rule.where.ReplaceAllString(text, rule.to)
	}
	from, to := r.installation(file)
	if !strings.Contains(text, from) {
		return "", fmt.Errorf("%s: the text that tells how to install gander is not %q; "+
			"change it in release/rename too", file, from)
	}
	return r.published.Replace(strings.Replace(text, from, to, 1)), nil
}

// installation returns what a document tells users of a module without an owner, and of the new
// module.
func (r renamer) installation(file string) (from, to string) {
	switch file {
	case "README.md":
		return "\ngo install ./cmd/gander\n", "\ngo install " + r.new.module +
			"/cmd/gander@latest  # the program\ngo get " + r.new.module + "  # the library, in your module\n"
	case "docs/library.md":
		return "The module path has no host, so add it to your module from a clone, here /src/gander:\n" +
				"\n```sh\n" +
				"go mod edit -require=gander@v0.0.0 -replace=gander=/src/gander\ngo mod tidy\n",
			"Add it to your module:\n\n```sh\ngo get " + r.new.module + "\n"
	default:
		return "", ""
	}
}
