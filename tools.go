package gander

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"gander/codex"
	"gander/filesystem"
	"gander/forge"
	"gander/gemini"
	"gander/internal/files/workspace"
	"gander/internal/native"
	"gander/internal/option"
	"gander/tool"
	"gander/toolkit"
)

// visible returns the selectors of the visible tools. An empty list selects every tool in o.Tools.
func (o Options) visible() []string {
	if len(o.Tools) > 0 {
		return nil
	}
	words := []string{"gander"}
	for _, t := range o.ExtraTools {
		words = append(words, t.Spec().ID)
	}
	return words
}

// check returns an error if a number is out of range.
func (o Options) check() error {
	list, read, grep, forge, tree := o.listDir(), o.readFile(), o.grepFiles(), o.forge(), o.tree()
	published := toolkit.DefaultSettings()
	type rule struct {
		option          string
		value, min, max int
		maxOption       string // determines max
	}
	for _, r := range []rule{
		{"CodexListDir.Limit", list.Limit, 1, maximum(list.MaxLimit), "CodexListDir.MaxLimit"},
		{"CodexListDir.Depth", list.Depth, 1, maximum(list.MaxDepth), "CodexListDir.MaxDepth"},
		{"CodexReadFile.Limit", read.Limit, 1, maximum(read.MaxLimit), "CodexReadFile.MaxLimit"},
		{"CodexReadFile.MaxLevels", read.MaxLevels, 0, maximum(0), ""},
		{"CodexGrepFiles.MaxLimit", grep.MaxLimit, 1, maximum(0), ""},
		{"CodexGrepFiles.Limit", grep.Limit, 1, grep.MaxLimit, "CodexGrepFiles.MaxLimit"},
		{"ForgeListDirectory.MaxEntries", forge.MaxEntries, 1, maximum(0), ""},
		{"ForgeListDirectory.MaxDepth", forge.MaxDepth, 1, maximum(0), ""},
		{"ToolkitTree.DepthCap", tree.DepthCap, 0, published.DepthCap, ""},
		{"ToolkitTree.EntriesCap", tree.EntriesCap, 1, published.EntriesCap, ""},
		{"ToolkitTree.MaxDepth", tree.MaxDepth, 0, tree.DepthCap, "ToolkitTree.DepthCap"},
		{"ToolkitTree.MaxEntries", tree.MaxEntries, 1, tree.EntriesCap, "ToolkitTree.EntriesCap"},
	} {
		limits := fmt.Sprintf("from %d to %d", r.min, r.max)
		if r.max == math.MaxInt {
			limits = fmt.Sprintf("at least %d", r.min)
		} else if r.maxOption != "" {
			limits += ", the value of " + r.maxOption
		}
		if r.value < r.min || r.value > r.max {
			err := fmt.Errorf("%s is %d; it must be %s", r.option, r.value, limits)
			return &option.Error{Option: r.option, Limit: r.maxOption, Err: err}
		}
	}
	return nil
}

// maximum returns n, or [math.MaxInt] if n is 0.
func maximum(n int) int { return cmp.Or(n, math.MaxInt) }

// builtin returns all built-in tools in display order.
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

// In the following limits, 0 means no limit.

func (l Limits) maxOutputBytes() int    { return max(cmp.Or(l.MaxOutputBytes, 102400), 0) }
func (l Limits) maxDataBytes() int      { return max(cmp.Or(l.MaxDataBytes, 5<<20), 0) }
func (l Limits) timeout() time.Duration { return max(cmp.Or(l.Timeout, 10*time.Second), 0) }
func (l Limits) cacheBytes() int        { return max(cmp.Or(l.CacheBytes, 32<<20), 0) }

func (o Options) gander() native.Settings {
	s := native.DefaultSettings()
	s.MaxChars = max(cmp.Or(o.MaxChars, s.MaxChars), 0)
	s.Home, _ = os.UserHomeDir() // if empty, "~" expands to the first root
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
	home, _ := os.UserHomeDir() // if empty, "~" expands to the root
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
