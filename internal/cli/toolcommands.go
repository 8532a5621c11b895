package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gander/internal/native/wording"
	"gander/internal/terminal"
	"gander/internal/toolset"
	"gander/tool"
)

// A toolCommand describes the command of a tool: its flags are the arguments of the tool.
type toolCommand struct {
	name, tool string
	hasPattern bool   // the first word is the pattern, unless a flag has that
	letters    string // short forms of flags
	suggestFor string // the names of other programs and tools with the same purpose
}

func newToolCmds(args []string) (cmds []*cobra.Command) {
	for _, d := range []toolCommand{
		{"list", "gander/list_dir", false, "L=depth l=details", "ls ll dir tree list_dir"},
		{
			"read", "gander/read_file", false, "n=numbers",
			"cat view head tail less more bat open show read_file",
		},
		{"find", "gander/find_files", true, "t=kind", "fd fdfind glob locate find_files"},
		{
			"search", "gander/search_text", true,
			"i=ignore_case F=literal C=context g=glob t=type l=output:files c=output:counts",
			"grep rg ag ack ripgrep rga pdfgrep search_text",
		},
	} {
		cmds = append(cmds, d.newCommand(args))
	}
	return cmds
}

// newCommand returns the command. Its flags are made only if the arguments of the program can name
// it, because that takes the time of opening the tools.
func (d toolCommand) newCommand(args []string) *cobra.Command {
	cmd := newCommand(d.name)
	cmd.SuggestFor = strings.Fields(d.suggestFor)
	src := newSource(cmd).withConfinement()
	flags := &argumentFlags{}
	if args == nil || slices.Contains(args, d.name) {
		var err error
		flags, err = newArgumentFlags(cmd, d.tool, d.letters)
		if err != nil {
			cmd.RunE = func(*cobra.Command, []string) error { return err }
			cmd.DisableFlagParsing = true
			return cmd
		}
	}
	src.setRun(func(ts *toolset.Toolset, words []string) error {
		if slices.Contains(words, "") { // as from a variable that is not set
			return errors.New("a word is empty; name a file or a directory, or leave it out")
		}
		if err := d.setWords(flags, words); err != nil {
			return seeHelp(cmd, err)
		}
		result, err := ts.Call(withStyle(cmd), d.tool, tool.Call{Args: flags.encode()})
		if err != nil {
			return withAdvice(err)
		}
		return printResult(cmd, result, strings.TrimSuffix(result.Text(), "\n")+"\n")
	})
	return cmd
}

func (d toolCommand) setWords(flags *argumentFlags, words []string) error {
	if d.hasPattern && len(words) > 0 && len(flags.values["pattern"].given) == 0 {
		if err := flags.values["pattern"].Set(words[0]); err != nil {
			return err
		}
		words = words[1:]
	}
	path := flags.values["path"]
	for _, word := range words {
		path.isList = true // a word is one path
		if err := path.Set(word); err != nil {
			return err
		}
	}
	return nil
}

// withStyle returns the context of a call whose result a person reads who gives arguments as flags.
func withStyle(cmd *cobra.Command) context.Context {
	style := wording.Style{Flags: true}
	if terminal.Is(cmd.OutOrStdout()) {
		style.Zone = time.Local
	}
	return wording.WithStyle(cmd.Context(), style)
}

// printResult prints the text of a result. It returns an error that has been printed if nothing was
// found, or if something could not be read, as the text says.
func printResult(cmd *cobra.Command, result tool.Result, text string) error {
	if err := write(cmd, text); err != nil {
		return err
	}
	if result.NothingFound || result.Unreadable {
		return exitError{code: exitFailed}
	}
	return nil
}

func newCallCmd(args []string) *cobra.Command {
	cmd := newCommand("call")
	cmd.Args = takes(1, 2)
	cmd.ValidArgsFunction = func(
		_ *cobra.Command, args []string, _ string,
	) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return toolIDs(), cobra.ShellCompDirectiveNoFileComp
	}
	asJSON := cmd.Flags().Bool("json", false,
		"print the result as an MCP client gets it: content, with images, and isError")
	src := newSource(cmd).withConfinement()
	src.tools = []string{"all"}
	flags := &argumentFlags{}
	if name := calledTool(args); name != "" {
		flags, _ = newArgumentFlags(cmd, name, "") // the call reports a wrong name
	}
	src.setRun(func(ts *toolset.Toolset, words []string) error {
		called, err := lookUp(ts, words[0])
		if err != nil {
			return err
		}
		ctx, raw := cmd.Context(), flags.encode()
		switch {
		case string(raw) == "{}":
			raw, err = readArgs(cmd, words[1:])
		case len(words) > 1:
			err = errors.New("arguments are both flags and an object; give one of them")
		default:
			ctx = withStyle(cmd)
		}
		if err != nil {
			return err
		}
		result, err := ts.Call(ctx, called.ID, tool.Call{Args: raw})
		switch {
		case *asJSON && cmd.Context().Err() == nil:
			return printJSON(cmd, result, err)
		case err != nil:
			return err
		}
		content := result.Text()
		if terminal.Is(cmd.OutOrStdout()) {
			content = strings.TrimSuffix(content, "\n") + "\n"
		}
		return printResult(cmd, result, content)
	})
	return cmd
}

// calledTool returns the name of the tool that the arguments of the program call, or "".
func calledTool(args []string) string {
	at := slices.Index(args, "call")
	if at < 0 {
		return ""
	}
	before := newCallCmd(nil).Flags()
	before.SetInterspersed(false)
	if err := before.Parse(args[at+1:]); err != nil {
		return "" // parsing all flags reports it
	}
	return before.Arg(0)
}

func printJSON(cmd *cobra.Command, result tool.Result, failed error) error {
	type content struct {
		Type     string `json:"type"`
		Text     string `json:"text,omitempty"`
		Data     []byte `json:"data,omitempty"` // encoded as base64
		MIMEType string `json:"mimeType,omitempty"`
	}
	if failed != nil {
		result = tool.Result{Parts: tool.Text(failed.Error())}
	}
	parts := make([]content, len(result.Parts))
	for i, p := range result.Parts {
		kind, _, _ := strings.Cut(p.MIMEType, "/")
		parts[i] = content{cmp.Or(kind, "text"), p.Text, p.Data, p.MIMEType}
	}
	raw, _ := json.Marshal(map[string]any{"content": parts, "isError": failed != nil})
	if err := printResult(cmd, result, string(raw)+"\n"); err != nil || failed == nil {
		return err
	}
	return exitError{code: exitCode(failed)}
}
