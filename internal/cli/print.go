package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
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
	// typed are the patterns on the command line, if the call has another that matches any of them.
	typed string
}

// pageBytes is the maximum size of the part of a file that read holds in memory for another
// program. It limits the length of lines, too.
const pageBytes = 32 << 20

// unlimit removes the limits on results for another program.
func (p *printer) unlimit(o *gander.Options, args map[string]any, id string) {
	o.Limits.MaxOutputBytes, o.MaxChars = -1, -1
	if o.Limits.Timeout == 0 { // no configuration
		o.Limits.Timeout = -1
	}
	if id == readTool {
		o.Limits.MaxOutputBytes = pageBytes
	} else if args["limit"] == nil {
		args["limit"] = 1 << 30
	}
	if id == searchTool && args["context"] == nil {
		args["context"] = 0
	}
}

// call calls a tool and prints the result. For another program it continues until the result is
// complete.
func (p *printer) call(ts *gander.Toolset, id string, args map[string]any) error {
	path, _ := args["path"].(string)
	whole := p.piped && id == readTool && args["limit"] == nil && args["block"] == nil &&
		!regexp.MustCompile(`(:\d+-\d+|#L\d+-L?\d+)$`).MatchString(path)
	for first := true; ; first = false {
		raw, err := json.Marshal(args)
		if err != nil {
			return err
		}
		next := ""
		l := &layout.Layout{Whole: p.piped, Hint: func(id string, arguments []layout.Argument) string {
			for _, a := range arguments {
				if id == "" && a.Name == "offset" {
					next = a.Value
				}
			}
			return hint(id, arguments)
		}}
		result, err := ts.Call(layout.With(p.cmd.Context(), l), id, raw)
		if exitCode(err) == exitOutside {
			if strings.Contains(err.Error(), ";") { // It suggests a path.
				return fmt.Errorf("%w, or name its directory with --root", err)
			}
			return fmt.Errorf("%w; name the directory of its target with --root", err)
		}
		if err != nil {
			return p.nameTyped(err)
		}
		p.found = p.found || !result.NothingFound
		isCut := whole && result.Truncated && next != ""
		if err := p.print(result, l.Sections, first && !isCut); err != nil || !isCut {
			return err
		}
		args["offset"] = json.Number(next)
	}
}

// nameTyped names the typed patterns in an error about the pattern of the call.
func (p *printer) nameTyped(err error) error {
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || p.typed == "" {
		return err
	}
	named := *e
	named.Message = regexp.MustCompile(`^pattern ".*", character \d+`).
		ReplaceAllLiteralString(e.Message, fmt.Sprintf("pattern %q", p.typed))
	return &named
}

// print prints a result. For another program, withNotes determines whether headings and markers
// are printed.
func (p *printer) print(result tool.Result, sections []layout.Section, withNotes bool) error {
	if !p.piped {
		return write(p.cmd, strings.TrimSuffix(result.Text(), "\n")+"\n")
	}
	for _, s := range sections {
		if withNotes {
			p.note(s.Heading)
		}
		if err := p.body(s.Body); err != nil {
			return err
		}
		if withNotes {
			p.note(s.Markers)
		}
		if s.Error != "" {
			p.failed = true
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
	switch {
	case text == "":
		return nil
	case p.null:
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
		if c.id == "gander/"+id {
			words = []string{"gander", c.name}
		}
	}
	for _, a := range arguments {
		if a.Name != "path" && a.Name != "pattern" {
			words = append(words, "--"+strings.ReplaceAll(a.Name, "_", "-"))
		}
		if a.IsString || a.Value != "true" {
			words = append(words, terminal.Quote(a.Value))
		}
	}
	return strings.Join(words, " ")
}
