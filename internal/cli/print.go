package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/layout"
	"gander/internal/terminal"
	"gander/tool"
)

// A printer calls a tool and prints the results.
type printer struct {
	cmd           *cobra.Command
	tool          string // the ID
	args          map[string]any
	piped         bool
	end           string // the end of an entry for another program
	found, failed bool
}

const (
	// maxPaths is the maximum number of paths in one call.
	maxPaths = 50
	// pageBytes is the maximum size of the part of a file that read holds in memory for another
	// program. It limits the length of lines, too.
	pageBytes = 32 << 20
	readTool  = "gander/read_file"
)

// unlimit removes the limits on results for another program.
func (p *printer) unlimit(src *source) {
	src.adjust = func(o *gander.Options) {
		o.Limits.MaxOutputBytes, o.MaxChars = -1, -1
		if p.tool == readTool {
			o.Limits.MaxOutputBytes = pageBytes
		}
		if o.Limits.Timeout == 0 { // no configuration
			o.Limits.Timeout = -1
		}
	}
	if p.args["limit"] == nil && p.tool != readTool {
		p.args["limit"] = 1 << 30
	}
	if p.args["context"] == nil && p.tool == "gander/search_text" {
		p.args["context"] = 0
	}
}

// run calls the tool for the paths, and prints the results.
func (p *printer) run(ts *gander.Toolset, paths []string) (err error) {
	if len(paths) == 0 {
		paths = []string{""} // the first root
	}
	size := maxPaths
	if p.piped && p.tool == readTool {
		size = 1
	}
	for batch := range slices.Chunk(paths, size) {
		p.fail(err)
		// The tools read one path per line. No path has a NUL byte.
		escaped := strings.ReplaceAll(strings.Join(batch, "\x00"), "\n", `\n`)
		p.args["path"] = strings.ReplaceAll(escaped, "\x00", "\n")
		err = p.call(ts, maps.Clone(p.args))
		if _, ok := errors.AsType[failure](err); ok {
			return err // The result cannot be written.
		}
	}
	if err != nil && !p.found {
		return err
	}
	p.fail(err)
	switch {
	case p.failed:
		return failure{errors.New("some paths failed; see above")}
	case !p.found:
		return errNothingFound
	}
	return nil
}

// fail prints the error of a path, if any.
func (p *printer) fail(err error) {
	if err != nil {
		p.failed = true
		printError(p.cmd, err)
	}
}

// call calls the tool and prints the result. For another program it continues until the result is
// complete.
func (p *printer) call(ts *gander.Toolset, args map[string]any) error {
	path, _ := args["path"].(string)
	whole := p.piped && p.tool == readTool && args["limit"] == nil && args["block"] == nil &&
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
		result, err := ts.Call(layout.With(p.cmd.Context(), l), p.tool, raw)
		switch {
		case exitCode(err) == exitOutside:
			return fmt.Errorf("%w; --root adds a directory", err)
		case err != nil:
			return err
		}
		p.found = p.found || !result.NothingFound
		isCut := whole && result.Truncated && next != ""
		if err := p.print(result, l.Sections, first && !isCut); err != nil || !isCut {
			return err
		}
		args["offset"] = json.Number(next)
	}
}

// print prints a result. For another program, withNotes determines whether headings and markers
// are printed.
func (p *printer) print(result tool.Result, sections []layout.Section, withNotes bool) error {
	if !p.piped {
		return write(p.cmd, strings.TrimSuffix(result.Text(), "\n")+"\n")
	}
	for _, part := range result.Parts {
		if part.MIMEType != "" {
			text := tool.Result{Parts: []tool.Part{part}}.Text()
			sections = append(sections, layout.Section{Body: text})
		}
	}
	for _, s := range sections {
		if !withNotes {
			s.Heading, s.Markers = "", ""
		}
		p.note(s.Heading)
		if s.Body != "" {
			if err := write(p.cmd, strings.ReplaceAll(s.Body+"\n", "\n", p.end)); err != nil {
				return err
			}
		}
		p.note(s.Markers)
		if s.Error != "" {
			p.fail(errors.New(s.Error))
		}
	}
	return nil
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
	for name, c := range toolCommands() {
		if c.Tool == "gander/"+id {
			words = []string{"gander", name}
		}
	}
	for _, a := range arguments {
		if a.Name != "path" && a.Name != "pattern" {
			words = append(words, "--"+strings.ReplaceAll(a.Name, "_", "-"))
		}
		if a.IsString || a.Value != "true" {
			words = append(words, a.Value)
		}
	}
	return terminal.Quote(words...)
}
