package gander

import (
	"log/slog"
	"time"

	"gander/tool"
)

// Options configures a [Toolset]. Zero or nil means the default. A negative limit means no limit.
type Options struct {
	Roots      []string    // accessible directories; default the working directory
	Tools      []string    // selectors as in [tool.Policy]; default the native tools and ExtraTools
	ExtraTools []tool.Tool // additional tools; all other options apply to them too

	// Deny lists globs of paths that cannot be read, entered or searched. Matching ignores case. A
	// pattern without a slash matches at any depth; others match paths from a root or /.
	Deny          []string
	NoDefaultDeny bool // disables the built-in patterns for common keys and credentials

	Limits        Limits            // limits on every call
	Policy        tool.Policy       // determines which calls are allowed or need approval
	Middleware    []tool.Middleware // wraps every call; the first is outermost
	Logger        *slog.Logger      // receives a record for each call; default none
	VerbatimNames bool              // disables escaping of control characters in names

	MaxChars            int                        // in results of native tools; default 40000
	CodexListDir        CodexListDirOptions        // codex/list_dir
	CodexReadFile       CodexReadFileOptions       // codex/read_file
	CodexGrepFiles      CodexGrepFilesOptions      // codex/grep_files
	GeminiListDirectory GeminiListDirectoryOptions // gemini/list_directory
	ForgeListDirectory  ForgeListDirectoryOptions  // forge/list_directory
	ToolkitTree         ToolkitTreeOptions         // toolkit/tree
}

// Limits sets limits on every call.
type Limits struct {
	MaxOutputBytes     int           // of text in a result; default 102400
	MaxDataBytes       int           // of images and other data in a result; default 5 MiB
	Timeout            time.Duration // excluding middleware, approval and queueing; default 10 s
	CacheBytes         int           // of caches for large directories and files; default 32 MiB
	MaxConcurrentCalls int           // further calls are queued; default 64
}

// CodexListDirOptions sets defaults and limits of codex/list_dir.
type CodexListDirOptions struct {
	Limit, Depth       int // defaults of the arguments; 25 and 2
	MaxLimit, MaxDepth int // maximums of the arguments; default no limit
}

// CodexReadFileOptions sets defaults and limits of codex/read_file.
type CodexReadFileOptions struct {
	Limit           int  // default of the argument; 2000
	MaxLimit        int  // maximum of the argument; default no limit
	MaxLevels       *int // default of indentation.max_levels; 4, and 0 means all levels
	IncludeSiblings bool // default of the argument
	IncludeHeader   bool // default of the argument
}

// CodexGrepFilesOptions sets the default and the maximum of the limit of codex/grep_files.
type CodexGrepFilesOptions struct {
	Limit, MaxLimit int // 100 and 2000
}

// GeminiListDirectoryOptions disables ignore files in calls that do not request them.
type GeminiListDirectoryOptions struct {
	NoGitIgnore    bool // .gitignore and Git's other ignore files
	NoGeminiIgnore bool // .geminiignore
}

// ForgeListDirectoryOptions sets defaults and limits of forge/list_directory.
type ForgeListDirectoryOptions struct {
	MaxEntries    int  // default and maximum of the argument; 200
	MaxDepth      int  // default and maximum of the argument; 4
	IncludeHidden bool // default of the argument
	IncludeOther  bool // default of the argument
	OmitFiles     bool // makes the default of include_files false
	OmitDirs      bool // makes the default of include_dirs false
	OmitSymlinks  bool // makes the default of include_symlinks false
	RelativeOnly  bool // rejects absolute paths, even inside a root
}

// ToolkitTreeOptions sets defaults and limits of toolkit/tree.
type ToolkitTreeOptions struct {
	MaxDepth          *int     // default of the argument; 3
	MaxEntries        int      // default of the argument; 100
	DepthCap          *int     // maximum of max_depth; at most 12, the default
	EntriesCap        int      // maximum of max_entries; at most 1000, the default
	Exclude           []string // globs of entries to exclude from every call
	NoDefaultExcludes bool     // disables the published excludes, such as .git and node_modules
}
