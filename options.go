package gander

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"time"

	"gander/internal/tools/toolkit"
	"gander/tool"
)

// Options configure a [Toolset]. The zero value offers the [DefaultTools] over the working directory, with the limits and
// defaults that the specifications and this package's documentation state.
type Options struct {
	// Roots are the directories of the workspace. Relative paths in calls refer to the first. Empty means the working
	// directory.
	Roots []string
	// Tools chooses the tools: ids ("codex/read_file"), published names that only one tool has, dialects ("codex") or "all".
	// The toolset has no other tool. Empty shows the [DefaultTools] and those of More; calls of the other built-in tools are
	// answered too.
	Tools []string
	// More are tools of the embedding program, offered beside gander's own and under the same rules.
	More []tool.Tool

	// Policy says which tools may be called, and which calls are put to the Approver.
	Policy tool.Policy
	// Approver decides on the calls that the policy wants approved. Nil refuses them.
	Approver tool.Approver

	// Wrap is middleware around every call, also those of More; the first is outermost. See [tool.Middleware].
	Wrap []tool.Middleware
	// Observe is called with the record of every call that has ended. It must be safe for concurrent use.
	Observe func(context.Context, tool.Record)
	// Logger gets one line for every call. Nil logs nothing. See [tool.RegistryOptions].
	Logger *slog.Logger
	// Clock tells the time for records and log lines. Nil means [time.Now]. Timeouts use the runtime's timers, and whether a
	// file has changed is judged by the system's clock.
	Clock func() time.Time

	// Sandbox narrows what may be reached inside the roots.
	Sandbox Sandbox
	// Limits bound every call.
	Limits Limits
	// Output governs how answers are written.
	Output Output

	// Gander configures gander's own tools.
	Gander Gander
	// ListDir configures codex/list_dir.
	ListDir ListDir
	// ReadFile configures codex/read_file.
	ReadFile ReadFile
	// GrepFiles configures codex/grep_files.
	GrepFiles GrepFiles
	// GeminiListDirectory configures gemini/list_directory.
	GeminiListDirectory GeminiListDirectory
	// ForgeListDirectory configures forge/list_directory.
	ForgeListDirectory ForgeListDirectory
	// Tree configures toolkit/tree.
	Tree Tree
}

// Sandbox narrows what the tools may reach inside the roots.
type Sandbox struct {
	// RelativeOnly makes Forge's tool refuse absolute paths, also those inside a root.
	RelativeOnly bool
	// Deny are globs on the path of a file, absolute or relative to a root. A pattern without a slash holds at any depth, as in
	// .gitignore. Case is ignored. One that can match nothing in the roots is an error. Both the path that was asked for and the one that it leads to through symlinks are judged.
	// What a pattern matches can be listed by name but neither opened nor entered, and neither can what lies below it.
	Deny []string
	// NoDefaultDenies drops the built-in patterns: **/.ssh/**, **/.gnupg/**, **/id_rsa*, **/id_ed25519*, **/id_ecdsa*,
	// **/*.pem, **/*.key, **/.netrc, **/.aws/**, **/.env, and **/.env.* except .env.example, .env.sample and .env.template.
	NoDefaultDenies bool
}

// Limits bound every call.
type Limits struct {
	// MaxOutputBytes is the most bytes that the text of an answer may have. 0 means 102400; negative means no limit.
	MaxOutputBytes int
	// MaxDataBytes is the most bytes of an answer that are not text: images, audio, and binary files read as resources. 0
	// means 5 MiB; negative means no limit. See [tool.Budget].
	MaxDataBytes int
	// Timeout is the longest that a tool may take for a call; see [tool.RegistryOptions]. 0 means 10 seconds; negative means
	// no limit.
	Timeout time.Duration
	// MemoryBytes is how much memory caches may take: the order of large directories, and where the lines of large files
	// are. A cached value is used only if its directory or file is provably unchanged. 0 means 32 MiB; negative caches
	// nothing.
	MemoryBytes int
	// MaxCalls is how many calls may run at once; others wait. 0 means 64.
	MaxCalls int
}

// Output governs how answers are written.
type Output struct {
	// VerbatimNames prints names in text answers as they are, including control characters.
	VerbatimNames bool
}

// check returns an error about a number that is out of its range.
func (o Options) check() error {
	list, read, grep, forge, tree := o.listDir(), o.readFile(), o.grepFiles(), o.forge(), o.tree()
	for _, rule := range []OptionError{
		{Option: "ListDir.Limit", Value: list.Limit, Min: 1, Max: cmp.Or(list.MaxLimit, math.MaxInt), MaxOption: "ListDir.MaxLimit"},
		{Option: "ListDir.Depth", Value: list.Depth, Min: 1, Max: cmp.Or(list.MaxDepth, math.MaxInt), MaxOption: "ListDir.MaxDepth"},
		{Option: "ReadFile.Limit", Value: read.Limit, Min: 1, Max: cmp.Or(read.MaxLimit, math.MaxInt), MaxOption: "ReadFile.MaxLimit"},
		{Option: "ReadFile.MaxLevels", Value: read.MaxLevels, Min: 0, Max: math.MaxInt},
		{Option: "GrepFiles.MaxLimit", Value: grep.MaxLimit, Min: 1, Max: math.MaxInt},
		{Option: "GrepFiles.Limit", Value: grep.Limit, Min: 1, Max: grep.MaxLimit, MaxOption: "GrepFiles.MaxLimit"},
		{Option: "ForgeListDirectory.MaxEntries", Value: forge.MaxEntries, Min: 1, Max: math.MaxInt},
		{Option: "ForgeListDirectory.MaxDepth", Value: forge.MaxDepth, Min: 1, Max: math.MaxInt},
		{Option: "Tree.DepthCap", Value: tree.DepthCap, Min: 0, Max: toolkit.DefaultSettings().DepthCap},
		{Option: "Tree.EntriesCap", Value: tree.EntriesCap, Min: 1, Max: toolkit.DefaultSettings().EntriesCap},
		{Option: "Tree.MaxDepth", Value: tree.MaxDepth, Min: 0, Max: tree.DepthCap, MaxOption: "Tree.DepthCap"},
		{Option: "Tree.MaxEntries", Value: tree.MaxEntries, Min: 1, Max: tree.EntriesCap, MaxOption: "Tree.EntriesCap"},
	} {
		if rule.Value < rule.Min || rule.Value > rule.Max {
			return &rule
		}
	}
	return nil
}

// An OptionError reports an option that is out of its range, which can depend on other options.
type OptionError struct {
	// Option is the name of the field, as in "Tree.MaxEntries".
	Option string
	// Value is what it is set to, or its default. It must be from Min to Max; Max is [math.MaxInt] if there is no
	// upper bound.
	Value, Min, Max int
	// MaxOption is the name of the field that sets Max, or "" if none does.
	MaxOption string
}

// Error names the option, its value and its range, and the option that bounds it.
func (e *OptionError) Error() string {
	if e.Max == math.MaxInt {
		return fmt.Sprintf("%s is %d; it must be at least %d", e.Option, e.Value, e.Min)
	}
	text := fmt.Sprintf("%s is %d; it must be from %d to %d", e.Option, e.Value, e.Min, e.Max)
	if e.MaxOption != "" {
		text += ", the value of " + e.MaxOption
	}
	return text
}

// Gander are the limits of gander's own tools.
type Gander struct {
	// MaxChars is the most characters that the text of an answer has, beside [Limits.MaxOutputBytes]. 0 means 40000; negative
	// means no limit.
	MaxChars int
}

// ListDir are the defaults and caps of codex/list_dir.
type ListDir struct {
	// Limit is the default number of entries. 0 means 25.
	Limit int
	// Depth is the default depth. 0 means 2.
	Depth int
	// MaxLimit and MaxDepth are the most that a call may ask for. 0 sets no cap, as in the specification.
	MaxLimit, MaxDepth int
}

// ReadFile are the defaults and caps of codex/read_file.
type ReadFile struct {
	// Limit is the default number of lines. 0 means 2000.
	Limit int
	// MaxLimit is the most that a call may ask for. 0 sets no cap, as in the specification.
	MaxLimit int
	// MaxLevels is the default of indentation.max_levels. Nil means 4; 0 means all levels.
	MaxLevels *int
	// IncludeSiblings and IncludeHeader are the defaults of the arguments of these names.
	IncludeSiblings, IncludeHeader bool
}

// GrepFiles are the default and the cap of codex/grep_files.
type GrepFiles struct {
	// Limit is the default number of paths. 0 means 100.
	Limit int
	// MaxLimit is the most paths that a call gets, even if it asks for more. 0 means 2000.
	MaxLimit int
}

// GeminiListDirectory are the defaults of gemini/list_directory.
type GeminiListDirectory struct {
	// NoGitIgnore and NoGeminiIgnore stop the tool from respecting ignore files unless a call asks for it.
	NoGitIgnore, NoGeminiIgnore bool
}

// ForgeListDirectory are the defaults and caps of forge/list_directory (CFG-LD-01).
type ForgeListDirectory struct {
	// MaxEntries is the default and the cap of max_entries. 0 means 200.
	MaxEntries int
	// MaxDepth is the default and the cap of max_depth in recursive listings. 0 means 4.
	MaxDepth int
	// IncludeHidden and IncludeOther are the defaults of the arguments of these names.
	IncludeHidden, IncludeOther bool
	// OmitFiles, OmitDirs and OmitSymlinks turn the default of include_files, include_dirs and include_symlinks to false.
	OmitFiles, OmitDirs, OmitSymlinks bool
}

// Tree are the defaults and caps of toolkit/tree.
type Tree struct {
	// MaxDepth is the default of max_depth. Nil means 3.
	MaxDepth *int
	// MaxEntries is the default of max_entries. 0 means 100.
	MaxEntries int
	// DepthCap is the most that a call may ask for as max_depth. Nil means 12, which is also the most it can be.
	DepthCap *int
	// EntriesCap is the most that a call may ask for as max_entries. 0 means 1000, which is also the most it can be.
	EntriesCap int
	// Exclude are globs that are always excluded, beside those of the call.
	Exclude []string
	// NoDefaultExcludes drops the published default excludes: .git, node_modules, dist, build, target, .vscode, .DS_Store.
	NoDefaultExcludes bool
}
