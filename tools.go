package gander

import (
	"cmp"
	"math"
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
	"gander/internal/toolset"
	"gander/tool"
)

// visible returns the words for the visible tools, none for all that the options select.
func (o Options) visible() []string {
	if len(o.Tools) > 0 {
		return nil
	}
	words := toolset.DefaultTools()
	for _, t := range o.ExtraTools {
		words = append(words, t.Spec().ID)
	}
	return words
}

// check returns an error about a number that is out of its range.
func (o Options) check() error {
	list, read, grep, forge, tree := o.listDir(), o.readFile(), o.grepFiles(), o.forge(), o.tree()
	published := toolkit.DefaultSettings()
	for _, rule := range []toolset.OptionError{
		{Option: "CodexListDir.Limit", Value: list.Limit, Min: 1, Max: cmp.Or(list.MaxLimit, math.MaxInt), MaxOption: "CodexListDir.MaxLimit"},
		{Option: "CodexListDir.Depth", Value: list.Depth, Min: 1, Max: cmp.Or(list.MaxDepth, math.MaxInt), MaxOption: "CodexListDir.MaxDepth"},
		{Option: "CodexReadFile.Limit", Value: read.Limit, Min: 1, Max: cmp.Or(read.MaxLimit, math.MaxInt), MaxOption: "CodexReadFile.MaxLimit"},
		{Option: "CodexReadFile.MaxLevels", Value: read.MaxLevels, Min: 0, Max: math.MaxInt},
		{Option: "CodexGrepFiles.MaxLimit", Value: grep.MaxLimit, Min: 1, Max: math.MaxInt},
		{Option: "CodexGrepFiles.Limit", Value: grep.Limit, Min: 1, Max: grep.MaxLimit, MaxOption: "CodexGrepFiles.MaxLimit"},
		{Option: "ForgeListDirectory.MaxEntries", Value: forge.MaxEntries, Min: 1, Max: math.MaxInt},
		{Option: "ForgeListDirectory.MaxDepth", Value: forge.MaxDepth, Min: 1, Max: math.MaxInt},
		{Option: "ToolkitTree.DepthCap", Value: tree.DepthCap, Min: 0, Max: published.DepthCap},
		{Option: "ToolkitTree.EntriesCap", Value: tree.EntriesCap, Min: 1, Max: published.EntriesCap},
		{Option: "ToolkitTree.MaxDepth", Value: tree.MaxDepth, Min: 0, Max: tree.DepthCap, MaxOption: "ToolkitTree.DepthCap"},
		{Option: "ToolkitTree.MaxEntries", Value: tree.MaxEntries, Min: 1, Max: tree.EntriesCap, MaxOption: "ToolkitTree.EntriesCap"},
	} {
		if rule.Value < rule.Min || rule.Value > rule.Max {
			return &rule
		}
	}
	return nil
}

// builtin returns the built-in tools in display order.
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

// The limits. 0 means no limit.

func (l Limits) maxOutputBytes() int    { return max(cmp.Or(l.MaxOutputBytes, 102400), 0) }
func (l Limits) maxDataBytes() int      { return max(cmp.Or(l.MaxDataBytes, 5<<20), 0) }
func (l Limits) timeout() time.Duration { return max(cmp.Or(l.Timeout, 10*time.Second), 0) }
func (l Limits) cacheBytes() int        { return max(cmp.Or(l.CacheBytes, 32<<20), 0) }

// The settings of the tools.

func (o Options) gander() native.Settings {
	s := native.DefaultSettings()
	s.MaxChars = max(cmp.Or(o.MaxChars, s.MaxChars), 0)
	s.Home, _ = os.UserHomeDir() // without one, "~" stands for the first root
	return s
}

func (o Options) listDir() codex.ListDirSettings {
	s := codex.DefaultListDirSettings()
	s.Limit = cmp.Or(o.CodexListDir.Limit, s.Limit)
	s.Depth = cmp.Or(o.CodexListDir.Depth, s.Depth)
	s.MaxLimit = o.CodexListDir.MaxLimit
	s.MaxDepth = o.CodexListDir.MaxDepth
	s.VerbatimNames = o.VerbatimNames
	return s
}

func (o Options) readFile() codex.ReadFileSettings {
	s := codex.DefaultReadFileSettings()
	s.Limit = cmp.Or(o.CodexReadFile.Limit, s.Limit)
	s.MaxLimit = o.CodexReadFile.MaxLimit
	s.MaxLevels = *cmp.Or(o.CodexReadFile.MaxLevels, &s.MaxLevels)
	s.IncludeSiblings = o.CodexReadFile.IncludeSiblings
	s.IncludeHeader = o.CodexReadFile.IncludeHeader
	return s
}

func (o Options) grepFiles() codex.GrepFilesSettings {
	s := codex.DefaultGrepFilesSettings()
	s.Limit = cmp.Or(o.CodexGrepFiles.Limit, s.Limit)
	s.MaxLimit = cmp.Or(o.CodexGrepFiles.MaxLimit, s.MaxLimit)
	s.VerbatimNames = o.VerbatimNames
	return s
}

func (o Options) gemini() gemini.Settings {
	s := gemini.DefaultSettings()
	s.RespectGitIgnore = !o.GeminiListDirectory.NoGitIgnore
	s.RespectGeminiIgnore = !o.GeminiListDirectory.NoGeminiIgnore
	s.VerbatimNames = o.VerbatimNames
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
	s.AllowAbsolute = !f.RelativeOnly
	return s
}

func (o Options) filesystem() filesystem.Settings {
	home, _ := os.UserHomeDir() // without one, "~" is the root
	return filesystem.Settings{Home: home, VerbatimNames: o.VerbatimNames}
}

func (o Options) tree() toolkit.Settings {
	s := toolkit.DefaultSettings()
	s.MaxDepth = *cmp.Or(o.ToolkitTree.MaxDepth, &s.MaxDepth)
	s.MaxEntries = cmp.Or(o.ToolkitTree.MaxEntries, s.MaxEntries)
	s.DepthCap = *cmp.Or(o.ToolkitTree.DepthCap, &s.DepthCap)
	s.EntriesCap = cmp.Or(o.ToolkitTree.EntriesCap, s.EntriesCap)
	s.Exclude = o.ToolkitTree.Exclude
	s.DefaultExcludes = !o.ToolkitTree.NoDefaultExcludes
	return s
}
