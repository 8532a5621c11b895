package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/config"
	"gander/internal/confinement"
	"gander/internal/terminal"
	"gander/internal/toolset"
	"gander/mcpserver"
	"gander/tool"
)

func newWhyCmd() *cobra.Command {
	cmd := newCommand("why")
	cmd.Args = takes(1, 1)
	src := newSource(cmd).withConfinement()
	src.setRun(func(ts *toolset.Toolset, args []string) error {
		if args[0] == "" { // as from a variable that is not set
			return errors.New("the path is empty; name a file or a directory")
		}
		explanation, err := ts.Why(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		text := string(explanation.Cause)
		if explanation.Rule != "" {
			text += " by " + terminal.Line(explanation.Rule)
		}
		if explanation.Cause == "ignored" {
			text += " (git may track it all the same; gander does not read that)"
		}
		return write(cmd, text+"\n")
	})
	return cmd
}

func newToolsCmd() *cobra.Command {
	cmd := newCommand("tools")
	cmd.Args = takes(0, 0)
	src := newSource(cmd).withTools()
	src.setRun(func(ts *toolset.Toolset, _ []string) error {
		if !terminal.Is(cmd.OutOrStdout()) {
			definitions, err := listTools(cmd.Context(), ts)
			if err != nil {
				return failure(err)
			}
			return write(cmd, "["+strings.Join(definitions, ",\n")+"]\n")
		}
		var list strings.Builder
		for _, d := range ts.Definitions() {
			list.WriteString(d.ID + "\n    " + strings.ReplaceAll(d.Description, "\n", "\n    ") + "\n")
		}
		list.WriteString("'gander tools --tools ID | more' prints the arguments of a tool.\n")
		return write(cmd, list.String())
	})
	return cmd
}

const listRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n"

// listTools asks a server for the definitions of tools, so that nothing else has to make them.
func listTools(ctx context.Context, ts *toolset.Toolset) (all []string, err error) {
	var out bytes.Buffer
	server := mcpserver.New((*gander.Toolset)(ts), nil)
	if err := mcpserver.ServeStdio(ctx, server, strings.NewReader(listRequest), &out); err != nil {
		return nil, err
	}
	var response struct {
		Result struct{ Tools []json.RawMessage }
		Error  json.RawMessage
	}
	if err := json.Unmarshal(out.Bytes(), &response); err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, fmt.Errorf("the server does not list its tools: %s", response.Error)
	}
	for _, definition := range response.Result.Tools {
		all = append(all, string(definition))
	}
	return all, nil
}

// maxArgs is the maximum number of bytes of arguments on standard input.
const maxArgs = 16 << 20

// lookUp returns the spec of the tool with the given name. A name of a tool of gander itself means
// that tool, even if others have the name, which [toolset.Toolset.Lookup] refuses.
func lookUp(ts *toolset.Toolset, name string) (tool.Spec, error) {
	if own, err := ts.Lookup("gander/" + name); err == nil {
		return own.Spec, nil
	}
	d, err := ts.Lookup(name)
	return d.Spec, err
}

// readArgs returns the arguments of a call: the word of the command line, or standard input if the
// word is "-", or if there is none and another program provides standard input.
func readArgs(cmd *cobra.Command, words []string) (json.RawMessage, error) {
	switch {
	case len(words) == 0 && !hasInput(cmd):
		return nil, nil
	case len(words) > 0 && words[0] != "-":
		return json.RawMessage(words[0]), nil
	}
	raw, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxArgs+1))
	switch {
	case err != nil:
		return nil, failure(fmt.Errorf("cannot read the arguments: %w", err))
	case len(raw) > maxArgs:
		return nil, fmt.Errorf("the arguments on standard input are longer than %d bytes; shorten them",
			maxArgs)
	}
	return raw, nil
}

// hasInput reports whether standard input is a pipe, a socket or a file, and no terminal or device.
func hasInput(cmd *cobra.Command) bool {
	f, ok := cmd.InOrStdin().(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	return info.Mode()&(os.ModeType&^(os.ModeNamedPipe|os.ModeSocket)) == 0
}

func createFile(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

func newConfigCmd() *cobra.Command {
	check := newCommand("config check")
	check.Args = takes(1, 1)
	check.RunE = func(cmd *cobra.Command, args []string) error {
		if args[0] == "" { // as from a variable that is not set
			return errors.New("the path of the configuration is empty")
		}
		ts, err := (&source{cmd: cmd, config: args[0]}).open()
		if err != nil {
			return err
		}
		return ts.Close()
	}
	create := newCommand("config init")
	create.Args = takes(0, 1)
	create.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return write(cmd, config.Example())
		}
		if err := createFile(args[0], config.Example()); err != nil {
			return failure(fmt.Errorf("cannot write the configuration: %w", err))
		}
		return nil
	}
	cmd := newCommand("config")
	helpOnly(cmd)
	cmd.AddCommand(check, create)
	return cmd
}

func newVersionCmd() *cobra.Command {
	cmd := newCommand("version")
	cmd.Args = takes(0, 0)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return write(cmd, "gander "+version()+"\nkernel confinement: "+confinement.Describe()+"\n")
	}
	return cmd
}
