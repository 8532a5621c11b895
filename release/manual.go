package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"gander/internal/frontend/cli"
)

// A page is a file of the manual.
type page struct {
	name string
	text []byte
}

// writeManual writes an archive with the manual page of every command and the completions for every shell.
func (r release) writeManual(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(r.manual(f), f.Close())
}

func (r release) manual(w io.Writer) error {
	root := cli.Command()
	pages, err := r.pages(root)
	if err != nil {
		return err
	}
	for _, shell := range []struct {
		file     string
		generate func(io.Writer) error
	}{
		{"bash-completion/gander", func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
		{"fish/gander.fish", func(w io.Writer) error { return root.GenFishCompletion(w, true) }},
		{"powershell/gander.ps1", root.GenPowerShellCompletionWithDesc},
		{"zsh/_gander", root.GenZshCompletion},
	} {
		var text bytes.Buffer
		if err := shell.generate(&text); err != nil {
			return err
		}
		pages = append(pages, page{shell.file, text.Bytes()})
	}
	return archive(w, pages)
}

// pages returns the manual pages of cmd and of all commands below it.
func (r release) pages(cmd *cobra.Command) ([]page, error) {
	cmd.DisableAutoGenTag = true
	var date time.Time
	var text bytes.Buffer
	if err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Date: &date, Source: "gander " + r.version}, &text); err != nil {
		return nil, err
	}
	// A page has no date, so that its bytes do not depend on one.
	plain := bytes.Replace(text.Bytes(), []byte(`"`+date.Format("Jan 2006")+`"`), []byte(`""`), 1)
	all := []page{{path.Join("man1", strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"), plain}}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		below, err := r.pages(sub)
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	return all, nil
}

// archive writes the pages as a gzipped tar file without times.
func archive(w io.Writer, pages []page) error {
	slices.SortFunc(pages, func(a, b page) int { return cmp.Compare(a.name, b.name) })
	compressed := gzip.NewWriter(w)
	files := tar.NewWriter(compressed)
	for _, p := range pages {
		if err := files.WriteHeader(&tar.Header{Name: p.name, Mode: 0o644, Size: int64(len(p.text)), Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := files.Write(p.text); err != nil {
			return err
		}
	}
	if err := files.Close(); err != nil {
		return err
	}
	return compressed.Close()
}
