package cli

import "slices"

func searchCommand() toolCommand {
	return toolCommand{
		name: "search", tool: "gander/search_text",
		suggestFor: "grep rg ag ack ripgrep search_text",
		flags:      slices.Concat(searchFlags(), pageFlags(), outputFlags()),
	}
}

func searchFlags() []commandFlag {
	return []commandFlag{
		{
			names: "regexp e", argument: "-e", kind: isList,
			usage: "search for `PATTERN`; repeatable",
		},
		{
			names: "literal F fixed-strings", argument: "literal", set: true,
			usage: "take patterns as text",
		},
		{names: "word-regexp w", argument: "-w", set: true, usage: "match whole words"},
		{names: "ignore-case i", argument: "ignore_case", set: true, usage: "ignore case"},
		{
			names: "glob g include", argument: "glob", kind: isList,
			usage: "search paths that match `GLOB`; ! excludes them",
		},
		{
			names: "type t", argument: "-t", kind: isList,
			usage: "search files of `TYPE`, such as go; repeatable",
		},
		{
			names: "after A after-context", argument: "after", kind: isNatural,
			usage: "show `N` lines after each match",
		},
		{
			names: "before B before-context", argument: "before", kind: isNatural,
			usage: "show `N` lines before each match",
		},
		{
			names: "context C", argument: "context", kind: isNatural,
			usage: "show `N` lines around each match",
		},
		{
			names: "only-matching o", argument: "output", set: "matches",
			usage: "print only the text that matches",
		},
		{
			names: "files-with-matches l", argument: "output", set: "files", usage: "print only paths",
		},
		{
			names: "count c", argument: "output", set: "counts",
			usage: "print the number of matching lines per file",
		},
		{
			names: "output", argument: "output", kind: isWord,
			words: []string{"lines", "matches", "files", "counts"},
			usage: "print `WHAT`: lines (default), matches, files, counts",
		},
		{
			names: "with-filename H", argument: "-H", set: true,
			usage: "print the path of a file named alone, too",
		},
		{
			names: "no-filename I", argument: "-I", set: true, usage: "print lines without paths",
		},
		{
			names: "no-line-number N", argument: "-N", set: true, usage: "print lines without numbers",
		},
		{names: "line-number n recursive r R case-sensitive s extended-regexp E basic-regexp hidden . " +
			"no-heading crlf no-config mmap no-mmap line-buffered block-buffered no-ignore-dot " +
			"no-ignore-global no-ignore-parent no-ignore-messages no-follow unicode"},
		{names: "threads j dfa-size-limit regex-size-limit path-separator", kind: isIgnored},
		{names: "sort sort-files", kind: isWord, words: []string{"path"}},
		ignoredFlag("ignored no-ignore u unrestricted no-ignore-vcs no-ignore-exclude no-ignore-files"),
		nullFlag(), jsonFlag(),
	}
}
