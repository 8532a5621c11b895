package main

import (
	"os"
	"time"

	"github.com/spf13/cobra/doc"

	"gander/internal/cli"
)

// writeManual writes a manual page for each command into a new directory. The pages have the given
// date, in the format of RFC 3339.
func writeManual(dir, date string) error {
	day, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root := cli.Command()
	root.DisableAutoGenTag = true
	root.InitDefaultCompletionCmd()
	header := &doc.GenManHeader{Section: "1", Date: &day, Source: "gander", Manual: "gander"}
	return doc.GenManTree(root, header, dir)
}
