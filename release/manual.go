package main

import (
	"bytes"
	"io"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"gander/internal/frontend/cli"
)

// manual returns the manual page of every command, and the completions for every shell.
func manual(version string) ([]file, error) {
	root := cli.Command()
	files, err := pages(root, version)
	if err != nil {
		return nil, err
	}
	for _, shell := range []struct {
		file     string
		generate func(io.Writer) error
	}{
		{"completions/gander.bash", func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
		{"completions/gander.fish", func(w io.Writer) error { return root.GenFishCompletion(w, true) }},
		{"completions/gander.ps1", root.GenPowerShellCompletionWithDesc},
		{"completions/_gander", root.GenZshCompletion},
	} {
		var text bytes.Buffer
		if err := shell.generate(&text); err != nil {
			return nil, err
		}
		files = append(files, file{shell.file, 0o644, text.Bytes()})
	}
	return files, nil
}

// pages returns the manual pages of cmd and of all commands below it.
func pages(cmd *cobra.Command, version string) ([]file, error) {
	cmd.DisableAutoGenTag = true
	var date time.Time
	var text bytes.Buffer
	if err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Date: &date, Source: "gander " + version}, &text); err != nil {
		return nil, err
	}
	// A page has no date, so that its bytes do not depend on one.
	plain := bytes.Replace(text.Bytes(), []byte(`"`+date.Format("Jan 2006")+`"`), []byte(`""`), 1)
	all := []file{{path.Join("man/man1", strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"), 0o644, plain}}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		below, err := pages(sub, version)
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	return all, nil
}
