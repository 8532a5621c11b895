package native

import (
	"encoding/json"

	"gander/internal/tools/shared"
	"gander/tool"
)

// This file has all that a model and a person see of the tools before they call them.

// define returns d with what all four tools share.
func define(d shared.Definition, schema string) shared.Definition {
	d.ID = "gander/" + d.Name
	d.Input = json.RawMessage(schema)
	d.SetHint = "A path is relative to the first root or absolute, and each path in an answer can be given to any of these tools. " +
		"An answer that leaves something out says so where it is missing, and which call shows it."
	d.Risk = "Low"
	return d
}

// Spec implements [tool.Tool].
func (t *listDir) Spec() tool.Spec { return t.Definition().Spec }

// Definition describes the tool.
func (t *listDir) Definition() shared.Definition {
	return define(shared.Definition{
		Spec: tool.Spec{
			Name:  "list_dir",
			Title: "List files in a directory (ls, tree)",
			Description: "Lists a directory in name order, or a tree with depth. A file as path gives its type, size and time. " +
				"Files that git ignores are left out and counted.",
		},
		Hint: "what is in a directory, or what a file is (depth=2 or more for a tree)",
	}, listDirSchema)
}

const listDirSchema = `{"type":"object","properties":{` +
	`"path":{"type":"string","description":"Relative to the root, or absolute (default: the root)."},` +
	`"depth":{"type":"integer","description":"Levels to show, upper ones first (default 1)."},` +
	`"details":{"type":"boolean","description":"Add size and modification time."},` +
	`"ignored":{"type":"boolean","description":"Include files that git ignores."},` +
	`"offset":{"type":"integer","description":"First entry to show (default 1)."},` +
	`"limit":{"type":"integer","description":"Most entries to show (default: what fits)."}},` +
	`"additionalProperties":false}`

// Spec implements [tool.Tool].
func (t *readFile) Spec() tool.Spec { return t.Definition().Spec }

// Definition describes the tool.
func (t *readFile) Definition() shared.Definition {
	return define(shared.Definition{
		Spec: tool.Spec{
			Name:  "read_file",
			Title: "Read a file or view an image (cat, open)",
			Description: "Reads lines of a text file, each as number, tab, text, or shows an image. " +
				"The first line says what is shown of how much and how to go on.",
		},
		Hint: "lines of a file, the block around a line, or an image (path may end in :LINE)",
	}, readFileSchema)
}

const readFileSchema = `{"type":"object","properties":{` +
	`"path":{"type":"string","description":"Relative to the root, or absolute; a.go:10-40 reads these lines. Several: one a line."},` +
	`"offset":{"type":"integer","description":"First line (default 1); negative counts from the end."},` +
	`"limit":{"type":"integer","description":"Most lines (default: what fits)."},` +
	`"block":{"type":"integer","description":"A line number: show the function or block around it (at most 200 lines)."},` +
	`"numbers":{"type":"boolean","description":"Number the lines (default true)."}},` +
	`"required":["path"],"additionalProperties":false}`

// Spec implements [tool.Tool].
func (t *findFiles) Spec() tool.Spec { return t.Definition().Spec }

// Definition describes the tool.
func (t *findFiles) Definition() shared.Definition {
	return define(shared.Definition{
		Spec: tool.Spec{
			Name:  "find_files",
			Title: "Find files by name (find, glob)",
			Description: "Finds files and directories by name anywhere below a directory, or those that changed last. " +
				"One path a line; directories end in /.",
		},
		Hint: "files by name or glob anywhere below a directory",
	}, findFilesSchema)
}

const findFilesSchema = `{"type":"object","properties":{` +
	`"pattern":{"type":"string","description":"Part of the path, ignoring case; with *?[{ a glob as in .gitignore: *.go at any depth, src/**/*_test.go (default: all)."},` +
	`"path":{"type":"string","description":"Directory, relative to the root or absolute (default: the root)."},` +
	`"kind":{"type":"string","enum":["any","file","directory"],"description":"What to find (default any)."},` +
	`"sort":{"type":"string","enum":["path","modified"],"description":"modified: newest first (default path)."},` +
	`"ignored":{"type":"boolean","description":"Include what git ignores."},` +
	`"offset":{"type":"integer","description":"First path to show (default 1)."},` +
	`"limit":{"type":"integer","description":"Most paths to show (default 200)."}},` +
	`"additionalProperties":false}`

// Spec implements [tool.Tool].
func (t *searchText) Spec() tool.Spec { return t.Definition().Spec }

// Definition describes the tool.
func (t *searchText) Definition() shared.Definition {
	return define(shared.Definition{
		Spec: tool.Spec{
			Name:  "search_text",
			Title: "Search file contents (grep, ripgrep)",
			Description: "Searches the contents of files for a regular expression, line by line: where is something defined, used or mentioned? " +
				"Lines are listed below the path of their file, as number, tab, text.",
		},
		Hint: "where something is defined, used or mentioned in files",
	}, searchTextSchema)
}

const searchTextSchema = `{"type":"object","properties":{` +
	`"pattern":{"type":"string","description":"Regular expression in ripgrep's syntax."},` +
	`"path":{"type":"string","description":"Directory or file, relative to the root or absolute (default: the root). Several: one a line."},` +
	`"glob":{"type":"string","description":"Search only files with such paths: *.go, src/**/*.{ts,tsx}; !*_test.go leaves out. Several: one a line."},` +
	`"literal":{"type":"boolean","description":"Take pattern as plain text."},` +
	`"ignore_case":{"type":"boolean","description":"Ignore case."},` +
	`"context":{"type":"integer","description":"Lines around each match, at most 100 (default: a few for up to 3 matches, otherwise 0)."},` +
	`"output":{"type":"string","enum":["lines","matches","files","counts"],"description":"lines (default), matches: the matched text alone, files: paths alone, counts: matching lines per file."},` +
	`"ignored":{"type":"boolean","description":"Include files that git ignores."},` +
	`"offset":{"type":"integer","description":"First match or file to show (default 1)."},` +
	`"limit":{"type":"integer","description":"Most matches or files to show (default 100)."}},` +
	`"required":["pattern"],"additionalProperties":false}`
