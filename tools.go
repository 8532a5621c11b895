package gander

import (
	"cmp"
	"os"
	"slices"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/codex"
	"gander/internal/tools/filesystem"
	"gander/internal/tools/forge"
	"gander/internal/tools/gemini"
	"gander/internal/tools/native"
	"gander/internal/tools/toolkit"
	"gander/tool"
)

// DefaultTools returns the ids of the tools that are shown to a model where nothing else is chosen.
func DefaultTools() []string {
	return []string{"gander/list_dir", "gander/read_file", "gander/find_files", "gander/search_text"}
}

// BuiltinTools returns what the built-in tools say of themselves, in the order in which they are shown.
func BuiltinTools() []tool.Spec {
	tools, err := builtin(nil, Options{})
	if err != nil {
		return nil // The defaults are right.
	}
	specs := make([]tool.Spec, len(tools))
	for i, t := range tools {
		specs[i] = t.Spec()
	}
	return specs
}

// shown returns the words that choose the tools that are shown, none for all that the options choose.
func (o Options) shown() []string {
	if len(o.Tools) > 0 {
		return nil
	}
	words := DefaultTools()
	for _, t := range o.More {
		words = append(words, t.Spec().ID)
	}
	return words
}

// builtin returns gander's own tools, in the order in which they are shown.
func builtin(w *workspace.Workspace, o Options) ([]tool.Tool, error) {
	tree, err := toolkit.New(w, o.tree())
	if err != nil {
		return nil, err
	}
	return slices.Concat(
		native.New(w, o.gander()),
		[]tool.Tool{
			codex.NewListDir(w, o.listDir()),
			codex.NewReadFile(w, o.readFile()),
			codex.NewGrepFiles(w, o.grepFiles()),
			gemini.New(w, o.gemini()),
			forge.New(w, o.forge()),
			tree,
		},
		filesystem.New(w, o.filesystem()),
	), nil
}

// The limits, as their consumers take them: 0 means none.

func (l Limits) maxOutputBytes() int    { return max(cmp.Or(l.MaxOutputBytes, 102400), 0) }
func (l Limits) maxDataBytes() int      { return max(cmp.Or(l.MaxDataBytes, 5<<20), 0) }
func (l Limits) timeout() time.Duration { return max(cmp.Or(l.Timeout, 10*time.Second), 0) }
func (l Limits) memoryBytes() int       { return max(cmp.Or(l.MemoryBytes, 32<<20), 0) }

// The settings of the tools: what the options say, and each dialect's own defaults for the rest.

func (o Options) gander() native.Settings {
	s := native.DefaultSettings()
	s.MaxChars = max(cmp.Or(o.Gander.MaxChars, s.MaxChars), 0)
	s.Home, _ = os.UserHomeDir() // without one, "~" stands for the first root
	return s
}

func (o Options) listDir() codex.ListDirSettings {
	s := codex.DefaultListDirSettings()
	s.Limit = cmp.Or(o.ListDir.Limit, s.Limit)
	s.Depth = cmp.Or(o.ListDir.Depth, s.Depth)
	s.MaxLimit = o.ListDir.MaxLimit
	s.MaxDepth = o.ListDir.MaxDepth
	s.VerbatimNames = o.Output.VerbatimNames
	return s
}

func (o Options) readFile() codex.ReadFileSettings {
	s := codex.DefaultReadFileSettings()
	s.Limit = cmp.Or(o.ReadFile.Limit, s.Limit)
	s.MaxLimit = o.ReadFile.MaxLimit
	s.MaxLevels = *cmp.Or(o.ReadFile.MaxLevels, &s.MaxLevels)
	s.IncludeSiblings = o.ReadFile.IncludeSiblings
	s.IncludeHeader = o.ReadFile.IncludeHeader
	return s
}

func (o Options) grepFiles() codex.GrepFilesSettings {
	s := codex.DefaultGrepFilesSettings()
	s.Limit = cmp.Or(o.GrepFiles.Limit, s.Limit)
	s.MaxLimit = cmp.Or(o.GrepFiles.MaxLimit, s.MaxLimit)
	s.VerbatimNames = o.Output.VerbatimNames
	return s
}

func (o Options) gemini() gemini.Settings {
	s := gemini.DefaultSettings()
	s.RespectGitIgnore = !o.GeminiListDirectory.NoGitIgnore
	s.RespectGeminiIgnore = !o.GeminiListDirectory.NoGeminiIgnore
	s.VerbatimNames = o.Output.VerbatimNames
	return s
}

func (o Options) forge() forge.Settings {
	s, f := forge.DefaultSettings(), o.ForgeListDirectory
	s.MaxEntries = cmp.Or(f.MaxEntries, s.MaxEntries)
	s.MaxDepth = cmp.Or(f.MaxDepth, s.MaxDepth)
	s.IncludeHidden = f.IncludeHidden
	s.IncludeFiles = !f.OmitFiles
	s.IncludeDirs = !f.OmitDirs
	s.IncludeSymlinks = !f.OmitSymlinks
	s.IncludeOther = f.IncludeOther
	s.AllowAbsolute = !o.Sandbox.RelativeOnly
	return s
}

func (o Options) filesystem() filesystem.Settings {
	home, _ := os.UserHomeDir() // without one, "~" is the root
	return filesystem.Settings{Home: home, VerbatimNames: o.Output.VerbatimNames}
}

func (o Options) tree() toolkit.Settings {
	s := toolkit.DefaultSettings()
	s.MaxDepth = *cmp.Or(o.Tree.MaxDepth, &s.MaxDepth)
	s.MaxEntries = cmp.Or(o.Tree.MaxEntries, s.MaxEntries)
	s.DepthCap = *cmp.Or(o.Tree.DepthCap, &s.DepthCap)
	s.EntriesCap = cmp.Or(o.Tree.EntriesCap, s.EntriesCap)
	s.Exclude = o.Tree.Exclude
	s.DefaultExcludes = !o.Tree.NoDefaultExcludes
	return s
}
