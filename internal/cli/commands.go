package cli

import (
	_ "embed"
	"math"
	"strings"
)

// A toolCommand describes a tool as a command.
type toolCommand struct {
	id, name, short string
	words           string // the positional part of the usage line
	examples        []string
	flags           []commandFlag
	// suggestFor contains the names of other programs and tools with the same purpose.
	suggestFor string
	// advice maps flags of other programs to the advice on what to use instead.
	advice map[string]string
}

// Tools whose commands differ from the others.
const (
	readTool   = "gander/read_file"
	searchTool = "gander/search_text"
)

// Names of arguments that the tools do not have. The commands replace them.
const (
	patternsArgument   = "-e"
	wordArgument       = "-w"
	typesArgument      = "-t"
	extensionsArgument = "-x"
	nullArgument       = "-0"
)

const allLevels = 1000

func toolCommands() []toolCommand {
	ignored := commandFlag{"ignored no-ignore", "ignored", true, "include files that git ignores"}
	offset := commandFlag{"offset", "offset", atLeast(1), "begin with result `N`"}
	limit := commandFlag{"limit", "limit", atLeast(1), "show at most `N` results"}
	null := commandFlag{"null 0", nullArgument, true, "end each path with a NUL byte, for xargs -0"}
	color := commandFlag{"color colour", "", unusedFlag, ""}
	return []toolCommand{
		{
			id: "gander/list_dir", name: "list", short: "List directories, or trees of directories",
			words: "[PATH...]", examples: []string{"", "src -L 2", "--details README.md"},
			suggestFor: "ls ll dir tree list_dir",
			flags: []commandFlag{
				{"depth L level", "depth", atLeast(1), "list `N` levels"},
				{"recursive R", "depth", allLevels, "list all levels"},
				{"details l long", "details", true, "add sizes and modification times"},
				{"all a almost-all A one 1 classify F", "", nil, ""},
				ignored, offset, limit,
			},
			advice: map[string]string{
				"t": "'gander find --sort modified'", "h": "--help",
				"tree": "--recursive", "T": "--recursive",
			},
		},
		{
			id: readTool, name: "read", short: "Read lines of files, or the block around a line",
			words: "PATH...",
			examples: []string{
				"src/main.go", "src/main.go:10-40", "src/main.go --offset -20", "src/main.go --block 3",
			},
			suggestFor: "cat view head tail less more bat open show read_file",
			flags: []commandFlag{
				{
					"offset", "offset", atLeast(math.MinInt64),
					"begin with line `N`; negative counts from the end",
				},
				{"limit n lines", "limit", atLeast(1), "show at most `N` lines"},
				{"block", "block", atLeast(1), "show the block around line `N`"},
				{"no-numbers N", "numbers", false, "omit line numbers"},
			},
			advice: map[string]string{
				"c": "'gander list --details'", "r": "PATH:10-40", "line-range": "PATH:10-40",
				"head": "--limit N", "tail": "--offset -N",
			},
		},
		{
			id: "gander/find_files", name: "find", short: "Find files and directories by name",
			words:      "[PATTERN] [PATH...]",
			examples:   []string{"'*.go'", "main src", "-e go -e md", "--sort modified --limit 5"},
			suggestFor: "fd fdfind glob locate find_files",
			flags: []commandFlag{
				{
					"extension e", extensionsArgument, listFlag,
					"find `EXT` files instead of PATTERN; repeatable",
				},
				{
					"type t kind", "kind", oneOf("file directory"),
					"find only files (`TYPE` f) or directories (d)",
				},
				{
					"sort", "sort", oneOf("path modified"),
					"sort by `KEY`: path (default), or modified: newest first",
				},
				{"hidden H ignore-case i glob g full-path p", "", nil, ""},
				color,
				{"ignored no-ignore I", "ignored", true, "include files that git ignores"},
				null, offset, limit,
			},
			advice: map[string]string{
				"name": "PATTERN", "iname": "PATTERN", "max-depth": "'gander list --depth'",
				"d": "'gander list --depth'", "maxdepth": "'gander list --depth'",
				"exec": "-0 and xargs -0", "x": "-0 and xargs -0", "print0": "-0",
				"max-results": "--limit", "s": "PATTERN with *, which is case-sensitive",
			},
		},
		{
			id: searchTool, name: "search", short: "Search files for a regular expression or text",
			words: "PATTERN [PATH...]",
			examples: []string{
				`'func \w+' src -C 2`, "-i -g '*.go' -g '!*_test.go' PACKAGE", "-F 'main()' -l",
				`-t go -o 'main\w*'`,
			},
			suggestFor: "grep rg ag ack ripgrep search_text",
			flags: []commandFlag{
				{"regexp e", patternsArgument, listFlag, "search for `PATTERN`; repeatable"},
				{"literal F fixed-strings", "literal", true, "take patterns as text"},
				{"word-regexp w", wordArgument, true, "match whole words"},
				{"ignore-case i", "ignore_case", true, "ignore case"},
				{"glob g include", "glob", listFlag, "search paths that match `GLOB`; ! excludes them"},
				{"type t", typesArgument, listFlag, "search files of `TYPE`, such as go; repeatable"},
				{"after A after-context", "after", atLeast(0), "show `N` lines after each match"},
				{"before B before-context", "before", atLeast(0), "show `N` lines before each match"},
				{"context C", "context", atLeast(0), "show `N` lines around each match"},
				{"only-matching o", "output", "matches", "print only the text that matches"},
				{"files-with-matches l", "output", "files", "print only paths"},
				{"count c", "output", "counts", "print the number of matching lines per file"},
				{
					"output", "output", oneOf("lines matches files counts"),
					"print `WHAT`: lines (default), matches, files, counts",
				},
				{"line-number n recursive r R with-filename H case-sensitive s", "", nil, ""},
				{"extended-regexp E hidden .", "", nil, ""},
				color,
				{"ignored no-ignore u", "ignored", true, "include files that git ignores"},
				null, offset, limit,
			},
			advice: map[string]string{
				"S": "-i", "smart-case": "-i", "iglob": "--glob", "exclude": "-g '!GLOB'",
				"exclude-dir": "-g '!DIR/'", "type-not": "-g '!*.EXT'", "T": "-g '!*.EXT'",
				"m": "--limit", "max-count": "--limit", "files": "'gander find'",
				"x": "PATTERN with ^ and $", "line-regexp": "PATTERN with ^ and $",
				"P": "PATTERN without it", "a": "'gander read'",
			},
		},
	}
}

// types has one glob per line, after the names of the file types that it matches.
//
//go:embed types.txt
var types string

// fileTypes returns the globs of common file types by name.
func fileTypes() map[string]string {
	globs := make(map[string]string)
	for line := range strings.Lines(types) {
		words := strings.Fields(line)
		for _, name := range words[:len(words)-1] {
			globs[name] = words[len(words)-1]
		}
	}
	return globs
}
