package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/layout"
	"gander/internal/terminal"
	"gander/tool"
)

// A printer prints the results of a command's calls.
type printer struct {
	cmd           *cobra.Command
	piped, null   bool
	found, failed bool
}

// unlimit removes the limits on results for another program.
func (p *printer) unlimit(o *gander.Options, args map[string]any, name string) {
	const all = 1 << 30
	o.Limits.MaxOutputBytes, o.MaxChars = -1, -1
	if o.Limits.Timeout == 0 { // no configuration
		o.Limits.Timeout = -1
	}
	if args["limit"] == nil && name != "read" {
		args["limit"] = all
	}
	if name == "search" && args["context"] == nil {
		args["context"] = 0
	}
}

// call calls a tool and prints the result.
func (p *printer) call(ts *gander.Toolset, id string, args json.RawMessage) error {
	l := &layout.Layout{Whole: p.piped, Hint: hint}
	result, err := ts.Call(layout.With(p.cmd.Context(), l), id, args)
	if err != nil {
		if exitCode(err) == exitOutside {
			return fmt.Errorf("%w, or name its directory with --root", err)
		}
		return err
	}
	p.found = p.found || !result.NothingFound
	if !p.piped {
		return write(p.cmd, strings.TrimSuffix(result.Text(), "\n")+"\n")
	}
	for _, s := range l.Sections {
		p.failed = p.failed || s.Error != ""
		p.note(s.Heading)
		if err := p.body(s.Body); err != nil {
			return err
		}
		p.note(s.Markers)
		if s.Error != "" {
			printError(p.cmd, errors.New(s.Error))
		}
	}
	for _, part := range result.Parts {
		if part.MIMEType != "" {
			if err := p.body(tool.Result{Parts: []tool.Part{part}}.Text()); err != nil {
				return err
			}
		}
	}
	return nil
}

// body prints the entries of a result.
func (p *printer) body(text string) error {
	if text == "" {
		return nil
	}
	if p.null {
		return write(p.cmd, strings.ReplaceAll(text, "\n", "\x00")+"\x00")
	}
	return write(p.cmd, text+"\n")
}

// note prints lines about a result.
func (p *printer) note(lines string) {
	for line := range strings.Lines(lines) {
		p.cmd.PrintErrln(terminal.Line(strings.TrimSuffix(line, "\n")))
	}
}

// hint spells the call that a result suggests as a command line. An empty id means more flags of
// this command.
func hint(id string, arguments []layout.Argument) string {
	var words []string
	for _, c := range toolCommands() {
		if id != "" && c.id == "gander/"+id {
			words = []string{"gander", c.name}
		}
	}
	for _, a := range arguments {
		switch {
		case a.Name == "path" || a.Name == "pattern":
			words = append(words, terminal.Quote(a.Value))
		case a.Value == "true":
			words = append(words, "--"+strings.ReplaceAll(a.Name, "_", "-"))
		default:
			words = append(words, "--"+strings.ReplaceAll(a.Name, "_", "-"), terminal.Quote(a.Value))
		}
	}
	return strings.Join(words, " ")
}
