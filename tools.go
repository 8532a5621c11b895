package gander

import (
	"time"

	"gander/internal/dialect/codex"
	"gander/internal/dialect/forge"
	"gander/internal/dialect/gemini"
	"gander/internal/dialect/toolkit"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// builtin makes gander's own tools, in the order in which they are shown.
func builtin(w *workspace.Workspace, o Options) ([]tool.Tool, error) {
	tree, err := toolkit.New(w, o.Tree.settings())
	if err != nil {
		return nil, err
	}
	return []tool.Tool{
		codex.NewListDir(w, o.listDir()),
		codex.NewReadFile(w, o.ReadFile.settings()),
		gemini.New(w, o.gemini()),
		forge.New(w, o.forge()),
		tree,
	}, nil
}

func or[T comparable](value, absent T) T {
	var zero T
	if value == zero {
		return absent
	}
	return value
}

func deref(value *int, absent int) int {
	if value == nil {
		return absent
	}
	return *value
}

// patterns is [sandbox] deny with the built-in patterns of section 1 of the specification.
func (s Sandbox) patterns() []string {
	if s.NoDefaultDenies {
		return s.Deny
	}
	return append([]string{"**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key"}, s.Deny...)
}

func (l Limits) maxOutputBytes() int { return max(or(l.MaxOutputBytes, 102400), 0) }

func (l Limits) timeout() time.Duration { return max(or(l.Timeout, 10*time.Second), 0) }

func (l Limits) memoryBytes() int { return max(or(l.MemoryBytes, 32<<20), 0) }

func (o Options) listDir() codex.ListDirSettings {
	return codex.ListDirSettings{
		Limit:         or(o.ListDir.Limit, 25),
		Depth:         or(o.ListDir.Depth, 2),
		MaxLimit:      o.ListDir.MaxLimit,
		MaxDepth:      o.ListDir.MaxDepth,
		VerbatimNames: o.Output.VerbatimNames,
	}
}

func (r ReadFile) settings() codex.ReadFileSettings {
	return codex.ReadFileSettings{
		Limit:           or(r.Limit, 2000),
		MaxLimit:        r.MaxLimit,
		MaxLevels:       deref(r.MaxLevels, 4),
		IncludeSiblings: r.IncludeSiblings,
		IncludeHeader:   r.IncludeHeader,
	}
}

func (o Options) gemini() gemini.Settings {
	return gemini.Settings{
		RespectGitIgnore:    !o.GeminiListDirectory.NoGitIgnore,
		RespectGeminiIgnore: !o.GeminiListDirectory.NoGeminiIgnore,
		VerbatimNames:       o.Output.VerbatimNames,
	}
}

func (o Options) forge() forge.Settings {
	f := o.ForgeListDirectory
	return forge.Settings{
		MaxEntries:      or(f.MaxEntries, 200),
		MaxDepth:        or(f.MaxDepth, 4),
		IncludeHidden:   f.IncludeHidden,
		IncludeFiles:    !f.OmitFiles,
		IncludeDirs:     !f.OmitDirs,
		IncludeSymlinks: !f.OmitSymlinks,
		IncludeOther:    f.IncludeOther,
		AllowAbsolute:   !o.Sandbox.RelativeOnly,
	}
}

func (t Tree) settings() toolkit.Settings {
	return toolkit.Settings{
		MaxDepth:        deref(t.MaxDepth, 3),
		MaxEntries:      or(t.MaxEntries, 100),
		DepthCap:        deref(t.DepthCap, 12),
		EntriesCap:      or(t.EntriesCap, 1000),
		Exclude:         t.Exclude,
		DefaultExcludes: !t.NoDefaultExcludes,
	}
}
