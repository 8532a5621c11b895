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
	_ = cmd.RegisterFlagCompletionFunc(flag, f) // It fails only without the flag or twice.
}

// completeWords completes any of words.
func completeWords(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeTool completes the first argument as the name of a tool.
func completeTool(
	_ *cobra.Command, args []string, _ string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return toolNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeTools completes the last name in a comma-separated list.
func completeTools(
	_ *cobra.Command, _ []string, typed string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	words := toolNames()
	for i, word := range words {
		words[i] = before + word
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// toolNames returns the ids and published names of all tools, their sets, and [toolset.All].
func toolNames() []string {
	words := []string{toolset.All}
	for _, s := range allTools() {
		set, name, _ := strings.Cut(s.ID, "/")
		words = append(words, s.ID, name, set)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// allTools returns the specs of all tools.
func allTools() []tool.Spec {
	ts, err := gander.Open(gander.Options{Tools: []string{toolset.All}})
	if err != nil {
		return nil // The working directory is gone; every command reports that.
	}
	defer ts.Close()
	return ts.Tools()
}
