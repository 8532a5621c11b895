// Package codex reproduces list_dir, read_file and grep_files of the agent Codex for the library
// gander, byte for byte.
//
// The results and errors of list_dir and read_file are those of the last release of Codex that had
// them, and their descriptions are gander's own. grep_files is as of openai/codex commit 178c3b15b,
// with the search of ripgrep 15.0.0.
//
// The tools differ from the originals in these ways: they read only what is inside the roots and
// not denied; an unreadable directory or file does not fail the call; a result that exceeds the
// limit ends with a note; control characters in names are escaped; and include_siblings and
// include_header are false by default, as documented. docs/reproductions.md has the details.
package codex

import (
	"cmp"
	_ "embed"
	"math"
	"slices"

	"gander"
	"gander/internal/files/workspace"
	"gander/internal/option"
	"gander/internal/tools/definition"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// Options configures the tools. Zero or nil means the published default.
type Options struct {
	ListDir   ListDirOptions   // defaults and limits of list_dir
	ReadFile  ReadFileOptions  // defaults and limits of read_file
	GrepFiles GrepFilesOptions // default and maximum of grep_files

	VerbatimNames bool // disables escaping of control characters in names
}

// ListDirOptions sets defaults and limits of list_dir.
type ListDirOptions struct {
	Limit    int // default of limit, the number of entries; 25
	Depth    int // default of depth, the number of levels; 2
	MaxLimit int // maximum of limit; default none
	MaxDepth int // maximum of depth; default none
}

// ReadFileOptions sets defaults and limits of read_file.
type ReadFileOptions struct {
	Limit           int  // default of limit, the number of lines; 2000
	MaxLimit        int  // maximum of limit; default none
	MaxLevels       *int // default of indentation.max_levels; 4, and 0 means all levels
	IncludeSiblings bool // default of indentation.include_siblings
	IncludeHeader   bool // default of indentation.include_header
}

// GrepFilesOptions sets the default and the maximum of the limit of grep_files.
type GrepFilesOptions struct {
	Limit    int // default of limit, the number of paths; 100
	MaxLimit int // replaces a larger limit; 2000
}

// Tools returns codex/list_dir, codex/read_file and codex/grep_files. [gander.Open] returns an
// error if an option is out of range.
func Tools(o Options) gander.Set {
	o = o.withDefaults()
	return gander.Set(definition.NewSet(definition.SetDefinition{
		Name:  "codex",
		Tools: []string{"list_dir", "read_file", "grep_files"},
		Err:   o.check(),
		Build: func(w *workspace.Workspace) []tool.Tool {
			return []tool.Tool{newListDir(w, o), newReadFile(w, o), newGrepFiles(w, o)}
		},
	}))
}

func (o Options) withDefaults() Options {
	o.ListDir.Limit = cmp.Or(o.ListDir.Limit, 25)
	o.ListDir.Depth = cmp.Or(o.ListDir.Depth, 2)
	o.ListDir.MaxLimit = cmp.Or(o.ListDir.MaxLimit, math.MaxInt)
	o.ListDir.MaxDepth = cmp.Or(o.ListDir.MaxDepth, math.MaxInt)
	o.ReadFile.Limit = cmp.Or(o.ReadFile.Limit, 2000)
	o.ReadFile.MaxLimit = cmp.Or(o.ReadFile.MaxLimit, math.MaxInt)
	o.ReadFile.MaxLevels = cmp.Or(o.ReadFile.MaxLevels, new(4))
	o.GrepFiles.Limit = cmp.Or(o.GrepFiles.Limit, 100)
	o.GrepFiles.MaxLimit = cmp.Or(o.GrepFiles.MaxLimit, 2000)
	return o
}

func (o Options) check() error {
	list, read, grep := o.ListDir, o.ReadFile, o.GrepFiles
	levels := option.Range{
		Option: "codex.ReadFile.MaxLevels", Value: *read.MaxLevels, Max: math.MaxInt,
	}
	return option.Check(slices.Concat(
		option.WithMax("codex.ListDir", "Limit", list.Limit, list.MaxLimit),
		option.WithMax("codex.ListDir", "Depth", list.Depth, list.MaxDepth),
		option.WithMax("codex.ReadFile", "Limit", read.Limit, read.MaxLimit),
		[]option.Range{levels},
		option.WithMax("codex.GrepFiles", "Limit", grep.Limit, grep.MaxLimit),
	)...)
}

//go:embed definitions.json
var definitions []byte

func definitionOf(name string) definition.Defined {
	return definition.Decode("codex", definitions).Tool(name)
}

// maxBytes is the maximum length of names, sort keys and lines in bytes: MAX_ENTRY_LENGTH and
// MAX_LINE_LENGTH.
const maxBytes = 500

// newError returns the error of a call that failed with err, such as "failed to read directory:
// permission denied", or nil if err is nil.
func newError(doing string, err error) error {
	return toolerror.Texts{
		workspace.ErrOutside: doing + ": {error}; use an absolute path inside it",
		nil:                  doing + ": {error}",
	}.New(err)
}
