package main

import (
	"bytes"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"gander/internal/cli"
)

// manual returns the manual page of every command, and the completions for every shell.
func manual(version string) ([]file, error) {
	root := cli.Command()
	files, err := pages(root, version)
	if err != nil {
		return nil, err
	}
	for _, script := range []struct{ shell, name string }{
		{"bash", "gander.bash"},
		{"fish", "gander.fish"},
		{"powershell", "gander.ps1"},
		{"zsh", "_gander"},
	} {
		var text bytes.Buffer
		root.SetOut(&text)
		root.SetArgs([]string{"completion", script.shell})
		if err := root.Execute(); err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + script.name, 0o644, text.Bytes()})
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
