package cli

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/config"
)

// shells are those that completion writes a script for.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func newCompletionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes gander's words in a shell",
		Long: `Print a script that makes a shell complete commands, flags, tools, dialects, keys and paths. SHELL is bash, zsh, fish or
powershell. The script for bash needs the package bash-completion. To have it in every session, let the shell's start file
run one of the examples.`,
		Example: `  source <(gander completion bash)
  source <(gander completion zsh)
  gander completion fish | source
  gander completion powershell | Out-String | Invoke-Expression`,
		Args:      arguments(1, 1, "one shell"),
		ValidArgs: shells(),
		RunE: func(cmd *cobra.Command, args []string) error {
			var script strings.Builder
			if err := writeScript(&script, cmd.Root(), args[0]); err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), script.String())
		},
	}
}

func writeScript(w io.Writer, root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(w)
	default:
		return suggested(fmt.Errorf("unknown shell %q; the shells are: %s", shell, strings.Join(shells(), ", ")), near(shell, shells()))
	}
}

// completing reports whether a shell's script asks for completions.
func completing(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// complete tells cmd and the commands below it what their arguments and flags can be. What is not told is left to the
// shell, which completes files.
func complete(cmd *cobra.Command) {
	if f, ok := argumentCompletions()[cmd.CommandPath()]; ok {
		cmd.ValidArgsFunction = f
	}
	for name, f := range flagCompletions() {
		if cmd.LocalFlags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, f) // fails where it is done twice
		}
	}
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
}

func argumentCompletions() map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		"gander call":        once(toolWords(false)),
		"gander why":         completePath,
		"gander tree":        completeDirectory,
		"gander config show": completeKeys,
		"gander help":        completeCommands,
		"gander man":         completeCommands,
	}
}

func flagCompletions() map[string]cobra.CompletionFunc {
	flags := map[string]cobra.CompletionFunc{"tools": completeTools, "set": completeSet, "root": completeDirectory, "dir": completeDirectory}
	for name, words := range map[string][]string{
		"as": dialects(), "format": formats(), "color": whens(), "hyperlink": whens(), "sort": {"name", "size", "time", "kind"},
		"log-level": {"debug", "info", "warn", "error"},
	} {
		flags[name] = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	return flags
}

// whens are when a terminal's means are used.
func whens() []string { return []string{"auto", "always", "never"} }

// once completes the first argument; the second is left to the shell.
func once(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// toolWords are the words that name tools; choosing, also those that name several.
func toolWords(choosing bool) []string {
	words := toolIDs()
	count := map[string]int{}
	for _, id := range toolIDs() {
		count[path.Base(id)]++
	}
	for _, id := range toolIDs() {
		if count[path.Base(id)] == 1 {
			words = append(words, path.Base(id))
		}
	}
	if choosing {
		words = append(append(words, dialects()...), "all")
	}
	return words
}

// completeTools completes the last word of a list with commas between.
func completeTools(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	given := strings.Split(before, ",")
	var words []string
	for _, word := range toolWords(true) {
		if !slices.Contains(given, word) {
			words = append(words, before+word)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeSet completes KEY= of KEY=VALUE.
func completeSet(_ *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var words []string
	for _, key := range config.Keys() {
		words = append(words, key+"=")
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeKeys completes keys and the tables they are in.
func completeKeys(_ *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var words []string
	for _, key := range config.Keys() {
		for table := path.Dir(strings.ReplaceAll(key, ".", "/")); table != "."; table = path.Dir(table) {
			words = append(words, strings.ReplaceAll(table, "/", "."))
		}
		words = append(words, key)
	}
	slices.Sort(words)
	return slices.Compact(words), cobra.ShellCompDirectiveNoFileComp
}

func completeDirectory(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func completeCommands(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	at, _, err := cmd.Root().Find(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	for _, sub := range available(at) {
		words = append(words, cobra.CompletionWithDesc(sub.Name(), sub.Short))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completePath completes a path of the workspace: with roots, one that is relative to the first.
func completePath(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || standIn(cmd) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	roots := given(cmd.Flags(), "root")
	if len(roots) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	ts, err := gander.Open(gander.Options{Roots: roots})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer ts.Close()
	dir, name := path.Split(typed)
	var words []string
	directive := cobra.ShellCompDirectiveNoFileComp
	o := gander.ListOptions{Limit: maxCompletions, Keep: func(e gander.Entry) bool { return strings.HasPrefix(e.Path, name) }}
	for e, err := range ts.List(cmd.Context(), "./"+dir, o) {
		if err != nil {
			break
		}
		word := dir + e.Path
		if e.IsDir() {
			word += "/"
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		words = append(words, word)
	}
	return words, directive
}

// maxCompletions is how many names a shell is given at most.
const maxCompletions = 1000
