package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A module is the module that this program is part of.
type module struct{ path, dir string }

// mainModule returns the module of the current directory.
func mainModule(ctx context.Context) (module, error) {
	out, err := output(ctx, "", "list", "-m", "-f", "{{.Path}} {{.Dir}}")
	if err != nil {
		return module{}, err
	}
	name, dir, _ := strings.Cut(out, " ")
	if _, err := os.Stat(filepath.Join(dir, "release", "manifest.json")); err != nil {
		return module{}, errors.New("this is not gander's source directory; run the command there")
	}
	return module{name, dir}, nil
}

// rename gives the module another import path: in go.mod, in imports and in everything else that contains import paths of its
// packages. It derives the names in server.json from the path, and takes the container image from the caller unless that is "". It
// prints the files that it changes.
func (m module) rename(ctx context.Context, to, image string, out io.Writer) error {
	if !regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9_.~-]+)+$`).MatchString(to) {
		return fmt.Errorf("%q is not the path of a public module; give one like github.com/OWNER/gander with -module", to)
	}
	names, err := m.names(to, image)
	if err != nil {
		return err
	}
	paths, err := m.importPaths()
	if err != nil {
		return err
	}
	own := regexp.MustCompile(`(?m)^(\t|import )"` + regexp.QuoteMeta(m.path) + `"$`)
	commands := regexp.MustCompile(`(-require=|-replace=|go doc |go get )` + regexp.QuoteMeta(m.path) + `(\W)`)
	err = filepath.WalkDir(m.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == ".git" || name == "dist" || name == "node_modules" || name == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		old, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var text []byte
		switch d.Name() {
		case "go.mod", "server.json", "Dockerfile":
			text = []byte(names.Replace(string(old)))
		default:
			text = old
		}
		text = paths.ReplaceAll(text, []byte("${1}"+to+"${2}"))
		switch filepath.Ext(file) {
		case ".go":
			text, err = format.Source(own.ReplaceAll(text, []byte(`${1}"`+to+`"`))) // which sorts the imports
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		case ".md":
			text = own.ReplaceAll(text, []byte(`${1}"`+to+`"`))
			text = commands.ReplaceAll(text, []byte("${1}"+to+"${2}"))
		}
		if bytes.Equal(text, old) {
			return nil
		}
		fmt.Fprintln(out, file)
		return os.WriteFile(file, text, 0o644)
	})
	if err != nil {
		return err
	}
	_, err = output(ctx, m.dir, "mod", "edit", "-module="+to)
	return err
}

// importPaths returns an expression for the import paths of the packages below the module. Its first group is what stands before
// the module's path, and the second is what follows.
func (m module) importPaths() (*regexp.Regexp, error) {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			folders = append(folders, regexp.QuoteMeta(e.Name()))
		}
	}
	return regexp.Compile(`(?m)(^|[^\w./@:~-])` + regexp.QuoteMeta(m.path) + `(/(?:(?:` + strings.Join(folders, "|") + `)\b|\.\.\.))`)
}

// names returns what replaces the names in server.json, and the copy of the server's name in the Dockerfile.
func (m module) names(to, image string) (*strings.Replacer, error) {
	var e entry
	if err := load(filepath.Join(m.dir, "server.json"), &e); err != nil {
		return nil, err
	}
	repository := regexp.MustCompile(`/v[0-9]+$`).ReplaceAllString(to, "")
	parts := strings.Split(repository, "/")
	host, base := strings.Split(parts[0], "."), path.Base(repository)
	var reversed []string
	for _, label := range host {
		reversed = append([]string{label}, reversed...)
	}
	name := strings.Join(reversed, ".")
	scope := host[0]
	if len(parts) > 2 {
		scope = parts[1]
		if parts[0] == "github.com" {
			name = "io.github." + parts[1]
		}
	}
	pairs := []string{
		`"` + e.Name + `"`, `"` + name + "/" + base + `"`,
		`"` + e.npm() + `"`, `"@` + strings.ToLower(scope+"/"+base) + `"`,
		`"url": "` + e.Repository.URL + `"`, `"url": "https://` + repository + `"`,
		`"source": "` + e.Repository.Source + `"`, `"source": "` + host[0] + `"`,
	}
	if image != "" {
		old, _ := e.of("oci")["identifier"].(string)
		pairs = append(pairs, `"`+old+`"`, `"`+image+":"+e.Version+`"`)
	}
	return strings.NewReplacer(pairs...), nil
}
