package gander

import (
	"log/slog"
	"time"

	"gander/tool"
)

// Options configure a [Toolset]. The zero value offers gander's own tools for the working directory.
// In all options, zero and nil mean the default, and a negative limit means no limit.
type Options struct {
	// Roots are the directories that the tools can access. Relative paths in calls are relative to
	// the first. The default is the working directory.
	Roots []string
	// Tools selects tools, by the words that [tool.Policy] describes. The default is gander's own
	// tools and ExtraTools; the other tools can still be called.
	Tools []string
	// ExtraTools are tools of the embedding program. All other options apply to them as well.
	ExtraTools []tool.Tool

	// Deny are globs for paths that cannot be read, entered or searched, in addition to the built-in
	// ones. They are case-insensitive. A pattern without a slash applies at any depth, as in
	// .gitignore; one with a slash is relative to each root, or absolute.
	Deny []string
	// NoDefaultDeny disables the built-in patterns, which cover common keys and credentials.
	NoDefaultDeny bool

	// Limits apply to every call.
	Limits Limits
	// Policy determines which tools can be called, and which calls need approval.
	Policy tool.Policy
	// Middleware wraps every call. The first is outermost.
	Middleware []tool.Middleware
	// Logger receives a record for each call, without arguments and results. The default is none.
	Logger *slog.Logger
	// VerbatimNames disables escaping of control characters in names.
	VerbatimNames bool

	// MaxChars is the maximum number of UTF-16 code units in a result of gander's own tools. The
	// default is 40000.
	MaxChars int

	// The options of the reproductions.

	CodexListDir        CodexListDirOptions        // codex/list_dir
	CodexReadFile       CodexReadFileOptions       // codex/read_file
	CodexGrepFiles      CodexGrepFilesOptions      // codex/grep_files
	GeminiListDirectory GeminiListDirectoryOptions // gemini/list_directory
	ForgeListDirectory  ForgeListDirectoryOptions  // forge/list_directory
	ToolkitTree         ToolkitTreeOptions         // toolkit/tree
}

// Limits apply to every call.
type Limits struct {
	// MaxOutputBytes is the maximum size of the text of a result. The default is 102400.
	MaxOutputBytes int
	// MaxDataBytes is the maximum size of the images and other data of a result. The default is
	// 5 MiB. Without a limit, memory for concurrent calls is the limit.
	MaxDataBytes int
	// Timeout is the maximum duration of a call, without middleware, approval and waiting for other
	// calls. The default is 10 seconds.
	Timeout time.Duration
	// CacheBytes is the maximum size of the caches for large directories and files. The default is
	// 32 MiB. A negative value disables them.
	CacheBytes int
	// MaxConcurrentCalls is the number of calls that can run at once; others wait. The default is 64.
	MaxConcurrentCalls int
}

// CodexListDirOptions are defaults and limits of codex/list_dir.
type CodexListDirOptions struct {
	// Limit is the default number of entries, 25 unless set, and Depth the default depth, 2.
	Limit, Depth int
	// MaxLimit and MaxDepth limit what a call can request. The default is no limit.
	MaxLimit, MaxDepth int
}

// CodexReadFileOptions are defaults and limits of codex/read_file.
type CodexReadFileOptions struct {
	// Limit is the default number of lines, 2000 unless set.
	Limit int
	// MaxLimit limits what a call can request. The default is no limit.
	MaxLimit int
	// MaxLevels is the default of indentation.max_levels, 4 unless set; 0 means all levels.
	MaxLevels *int
	// IncludeSiblings and IncludeHeader are the defaults of the arguments with these names.
	IncludeSiblings, IncludeHeader bool
}

// CodexGrepFilesOptions are the default and the limit of codex/grep_files.
type CodexGrepFilesOptions struct {
	// Limit is the default number of paths, 100 unless set, and MaxLimit the maximum, 2000.
	Limit, MaxLimit int
}

// GeminiListDirectoryOptions are defaults of gemini/list_directory.
type GeminiListDirectoryOptions struct {
	// NoGitIgnore and NoGeminiIgnore disable ignore files unless a call requests them.
	NoGitIgnore, NoGeminiIgnore bool
}

// ForgeListDirectoryOptions are defaults and limits of forge/list_directory (CFG-LD-01 in its
// specification).
type ForgeListDirectoryOptions struct {
	// MaxEntries is the default and the maximum of max_entries, 200 unless set.
	MaxEntries int
	// MaxDepth is the default and the maximum of max_depth in recursive listings, 4 unless set.
	MaxDepth int
	// IncludeHidden and IncludeOther are the defaults of the arguments with these names.
	IncludeHidden, IncludeOther bool
	// OmitFiles, OmitDirs and OmitSymlinks set the default of include_files, include_dirs and
	// include_symlinks to false.
	OmitFiles, OmitDirs, OmitSymlinks bool
	// RelativeOnly rejects absolute paths, including those in a root.
	RelativeOnly bool
}

// ToolkitTreeOptions are defaults and limits of toolkit/tree.
type ToolkitTreeOptions struct {
	// MaxDepth is the default of max_depth, 3 unless set.
	MaxDepth *int
	// MaxEntries is the default of max_entries, 100 unless set.
	MaxEntries int
	// DepthCap is the maximum of max_depth. It is at most 12, the default.
	DepthCap *int
	// EntriesCap is the maximum of max_entries. It is at most 1000, the default.
	EntriesCap int
	// Exclude are globs that are always excluded, in addition to those of the call.
	Exclude []string
	// NoDefaultExcludes disables the published ones: .git, node_modules, dist, build, target,
	// .vscode and .DS_Store.
	NoDefaultExcludes bool
}
