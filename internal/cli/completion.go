package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/toolset"
	"gander/tool"
)

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

// completeTool completes the name of a tool as the first argument.
func completeTool(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return toolNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeTools completes the last word of a list that is separated by commas.
func completeTools(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	words := toolNames()
	for i, word := range words {
		words[i] = before + word
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// toolNames returns the words that name tools: ids, published names, families and all.
func toolNames() []string {
	words := []string{toolset.All}
	for _, s := range builtinTools() {
		set, name, _ := strings.Cut(s.ID, "/")
		words = append(words, s.ID, name, set)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// builtinTools returns the specs of all tools.
func builtinTools() []tool.Spec {
	ts, err := gander.Open(gander.Options{Tools: []string{toolset.All}})
	if err != nil {
		return nil // The working directory is gone, and every command says so.
	}
	defer ts.Close()
	return ts.Tools()
}
