package gander

import "gander/tool"

// dialectHint is what a model is told about all four tools.
const dialectHint = "A path is relative to the first root or absolute, and each path in an answer can be given to any of these tools. " +
	"An answer that leaves something out says so where it is missing, and which call shows it."

func listCommand() tool.Command {
	return tool.Command{
		Name: "list", Short: "List a directory, or a tree of directories",
		Examples:   []string{"", "src -L 2", "--details README.md"},
		SuggestFor: []string{"ls", "ll", "dir", "tree", "list_dir"},
		Words:      []string{"path"},
		Flags:      map[string]string{"L": "depth", "l": "details", "long": "details", "no-ignore": "ignored"},
	}
}

func readCommand() tool.Command {
	return tool.Command{
		Name: "read", Short: "Read lines of a file, or the block around a line",
		Examples:   []string{"src/main.go", "src/main.go:120", "src/main.go --offset -20", "src/main.go --block 3"},
		SuggestFor: []string{"cat", "view", "head", "tail", "less", "more", "bat", "open", "show", "read_file"},
		Words:      []string{"path"},
		Flags:      map[string]string{"n": "limit", "no-numbers": "numbers=false"},
	}
}

func findCommand() tool.Command {
	return tool.Command{
		Name: "find", Short: "Find files and directories by name",
		Examples:   []string{"'*.go'", "main src", "--sort modified --limit 5"},
		SuggestFor: []string{"fd", "fdfind", "glob", "locate", "find_files"},
		Words:      []string{"pattern", "path"},
		Flags:      map[string]string{"t": "kind", "type": "kind", "no-ignore": "ignored"},
	}
}

func searchCommand() tool.Command {
	return tool.Command{
		Name: "search", Short: "Search files for a regular expression or a text",
		Examples:   []string{`'func \w+' src -C 2`, "-i -g '*.go' PACKAGE", "-F 'main()' --output files"},
		SuggestFor: []string{"grep", "rg", "ag", "ack", "ripgrep", "search_text"},
		Words:      []string{"pattern", "path"},
		Flags: map[string]string{
			"C": "context", "F": "literal", "fixed-strings": "literal", "g": "glob", "i": "ignore_case", "no-ignore": "ignored",
			"l": "output=files", "files-with-matches": "output=files", "c": "output=counts", "count": "output=counts",
		},
	}
}
