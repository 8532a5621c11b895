package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newManCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print the manual page of a command, or write all pages",
		Long: `Print the manual page of gander or of one of its commands, in roff: what --help says, as man shows it. With --dir, write the
pages of all commands as files into a directory that exists.`,
		Example: `  gander man why | man -l -
  gander man --dir ~/.local/share/man/man1`,
	}
	dir := cmd.Flags().String("dir", "", "write all pages into `DIR`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *dir != "" {
			if len(args) > 0 {
				return errors.New("--dir writes the pages of all commands; leave out the command")
			}
			return writePages(cmd.Root(), *dir)
		}
		about, err := find(cmd.Root(), args)
		if err != nil {
			return err
		}
		return write(cmd.OutOrStdout(), page(about))
	}
	return cmd
}

// writePages writes the page of cmd and those of the commands below it.
func writePages(cmd *cobra.Command, dir string) error {
	if err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), []byte(page(cmd)), 0o644); err != nil {
		return failure{fmt.Errorf("cannot write the page: %w", err)}
	}
	for _, sub := range available(cmd) {
		if err := writePages(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page is the manual page of a command.
func page(cmd *cobra.Command) string {
	r := &roff{}
	r.macro("TH", pageName(cmd), "1", "", "gander "+version(), "gander")
	r.macro("SH", "NAME")
	r.text(pageName(cmd) + ` \- ` + escapeRoff(lowerFirst(cmd.Short)))
	r.macro("SH", "SYNOPSIS")
	r.text(".B " + escapeRoff(synopsis(cmd)))
	if cmd.Example != "" {
		r.macro("SH", "EXAMPLES")
		r.verbatim(cmd.Example)
	}
	r.macro("SH", "DESCRIPTION")
	r.paragraphs(about(cmd))
	if commands := available(cmd); len(commands) > 0 {
		r.macro("SH", "COMMANDS")
		for _, sub := range commands {
			r.item(sub.Name(), sub.Short+".")
		}
	}
	if flags := listed(cmd.LocalFlags()); flags.HasFlags() {
		r.macro("SH", "OPTIONS")
		flags.VisitAll(r.flag)
	}
	if related := related(cmd); len(related) > 0 {
		r.macro("SH", "SEE ALSO")
		r.text(strings.Join(related, ", "))
	}
	return r.String()
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// related are the pages above and below that of cmd.
func related(cmd *cobra.Command) []string {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, escapeRoff(pageName(cmd.Parent()))+"(1)")
	}
	for _, sub := range available(cmd) {
		pages = append(pages, escapeRoff(pageName(sub))+"(1)")
	}
	return pages
}

// roff writes a page in the man macros.
type roff struct{ strings.Builder }

// macro writes a request; its arguments are quoted.
func (r *roff) macro(name string, args ...string) {
	r.WriteString("." + name)
	for _, arg := range args {
		r.WriteString(` "` + strings.ReplaceAll(escapeRoff(arg), `"`, `\(dq`) + `"`)
	}
	r.WriteString("\n")
}

// text writes a line that is roff already.
func (r *roff) text(line string) { r.WriteString(line + "\n") }

// verbatim writes lines that are not filled.
func (r *roff) verbatim(lines string) {
	r.text(".nf")
	for line := range strings.SplitSeq(lines, "\n") {
		r.text(escapeRoff(line))
	}
	r.text(".fi")
}

// paragraphs writes text as [wrap] does: filled, but for lines that begin with a blank.
func (r *roff) paragraphs(text string) {
	for paragraph := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		r.text(".PP")
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, " ") {
				r.verbatim(line)
				continue
			}
			r.text(escapeRoff(line))
		}
	}
}

// item writes a term and what it means.
func (r *roff) item(term, meaning string) {
	r.text(".TP")
	r.text(".B " + escapeRoff(term))
	r.text(escapeRoff(meaning))
}

func (r *roff) flag(f *pflag.Flag) {
	word, usage := pflag.UnquoteUsage(f)
	term := "--" + f.Name
	if f.Shorthand != "" {
		term = "-" + f.Shorthand + ", " + term
	}
	if word != "" {
		term += " " + word
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && !strings.Contains(usage, "default") {
		usage += " (default: " + f.DefValue + ")"
	}
	r.item(term, usage)
}

// escapeRoff writes text so that roff shows it as it is: a backslash, hyphens that are minus signs, and the characters that
// begin a request.
func escapeRoff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
