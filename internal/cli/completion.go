package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/config"
	"gander/tool"
)

func newCompletionCmd() *cobra.Command {
	scripts := map[string]func(*cobra.Command, io.Writer) error{
		"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh":        (*cobra.Command).GenZshCompletion,
		"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
	}
	shells := slices.Sorted(maps.Keys(scripts))
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes words in a shell",
		Long: `Print the script that makes a shell complete the commands, flags and tools of
gander. SHELL is ` + strings.Join(shells[:len(shells)-1], ", ") + " or " + shells[len(shells)-1] + `. In bash and zsh, this loads it:

  source <(gander completion bash)

To have it in every session, add that line to ~/.bashrc or ~/.zshrc. The script
for bash needs the package bash-completion.`,
		Example: `  gander completion bash
  gander completion fish > gander.fish`,
		Args:      arguments(1, 1, "the name of a shell"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			script, ok := scripts[args[0]]
			if !ok {
				return seeHelp(cmd, fmt.Errorf("unknown shell %q; known are %s", args[0], strings.Join(shells, ", ")))
			}
			return script(cmd.Root(), cmd.OutOrStdout())
		},
	}
}

// completeFlag sets the completion of a flag of cmd.
func completeFlag(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(flag, f) // It fails only if the flag does not exist or has a completion.
}

// completeWords completes any of words.
func completeWords(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeFiles completes files, as long as cmd takes one more argument.
func completeFiles(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if cmd.ValidateArgs(append(args, "")) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// completeKeys completes keys of the configuration.
func completeKeys(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return config.Keys(), cobra.ShellCompDirectiveNoFileComp
}

// completeSetting completes the KEY= of KEY=VALUE.
func completeSetting(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var words []string
	for _, key := range config.Keys() {
		words = append(words, key+"=")
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeTool completes the name of a tool as the first argument.
func completeTool(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	for _, d := range definitions() {
		words = append(words, d.ID, d.Name)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeTools completes the last word of a list that is separated by commas.
func completeTools(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	words := selectors()
	for i, word := range words {
		words[i] = before + word
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// definitions returns the definitions of all tools.
func definitions() []tool.Definition {
	ts, err := gander.Open(gander.Options{Tools: []string{tool.All}})
	if err != nil {
		return nil // The working directory is gone, and every command says so.
	}
	defer ts.Close()
	return ts.Definitions()
}

// selectors returns the words that --tools takes, but for published names.
func selectors() []string {
	words := []string{tool.All}
	for _, d := range definitions() {
		words = append(words, d.ID, d.Dialect())
	}
	slices.Sort(words)
	return slices.Compact(words)
}
