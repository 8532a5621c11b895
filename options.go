package gander

import (
	"log/slog"
	"time"

	"gander/tool"
)

// Options configure a [Toolset]. Zero and nil mean the default, and a negative limit means no
// limit.
type Options struct {
	Roots      []string    // accessible directories; default the working directory
	Tools      []string    // words as in [tool.Policy]; default gander's own tools and ExtraTools
	ExtraTools []tool.Tool // tools of the program, to which all other options apply as well

	// Deny are globs for paths that cannot be read, entered or searched. They ignore case. A pattern
	// without a slash applies at any depth, as in .gitignore; others to paths from a root or /.
	Deny          []string
	NoDefaultDeny bool // disables the built-in patterns for common keys and credentials

	Limits        Limits            // apply to every call
	Policy        tool.Policy       // which tools can be called, and which calls need approval
	Middleware    []tool.Middleware // wraps every call; the first is outermost
	Logger        *slog.Logger      // receives a record for each call; default none
	VerbatimNames bool              // disables escaping of control characters in names

	MaxChars            int                        // in results of gander's tools; default 40000
	CodexListDir        CodexListDirOptions        // codex/list_dir
	CodexReadFile       CodexReadFileOptions       // codex/read_file
	CodexGrepFiles      CodexGrepFilesOptions      // codex/grep_files
	GeminiListDirectory GeminiListDirectoryOptions // gemini/list_directory
	ForgeListDirectory  ForgeListDirectoryOptions  // forge/list_directory
	ToolkitTree         ToolkitTreeOptions         // toolkit/tree
}

// Limits apply to every call.
type Limits struct {
	MaxOutputBytes     int           // of the text of a result; default 102400
	MaxDataBytes       int           // of the images and other data of a result; default 5 MiB
	Timeout            time.Duration // without middleware, approval and queueing; default 10 s
	CacheBytes         int           // of caches for large directories and files; default 32 MiB
	MaxConcurrentCalls int           // calls that run at once, while others wait; default 64
}

// CodexListDirOptions are defaults and limits of codex/list_dir.
type CodexListDirOptions struct {
	Limit, Depth       int // defaults of the arguments; 25 and 2
	MaxLimit, MaxDepth int // maxima of the arguments; default no limit
}

// CodexReadFileOptions are defaults and limits of codex/read_file.
type CodexReadFileOptions struct {
	Limit           int  // default of the argument; 2000
	MaxLimit        int  // maximum of the argument; default no limit
	MaxLevels       *int // default of indentation.max_levels; 4, and 0 means all levels
	IncludeSiblings bool // default of the argument
	IncludeHeader   bool // default of the argument
}

// CodexGrepFilesOptions are the default and the maximum of the argument limit.
type CodexGrepFilesOptions struct {
	Limit, MaxLimit int // 100 and 2000
}

// GeminiListDirectoryOptions disable ignore files unless a call requests them.
type GeminiListDirectoryOptions struct {
	NoGitIgnore    bool // .gitignore and the other files of git
	NoGeminiIgnore bool // .geminiignore
}

// ForgeListDirectoryOptions are defaults and limits of forge/list_directory.
type ForgeListDirectoryOptions struct {
	MaxEntries    int  // default and maximum of the argument; 200
	MaxDepth      int  // default and maximum of the argument; 4
	IncludeHidden bool // default of the argument
	IncludeOther  bool // default of the argument
	OmitFiles     bool // makes the default of include_files false
	OmitDirs      bool // makes the default of include_dirs false
	OmitSymlinks  bool // makes the default of include_symlinks false
	RelativeOnly  bool // rejects absolute paths, including those in a root
}

// ToolkitTreeOptions are defaults and limits of toolkit/tree.
type ToolkitTreeOptions struct {
	MaxDepth          *int     // default of the argument; 3
	MaxEntries        int      // default of the argument; 100
	DepthCap          *int     // maximum of max_depth; 12, which it cannot exceed
	EntriesCap        int      // maximum of max_entries; 1000, which it cannot exceed
	Exclude           []string // globs that are always excluded
	NoDefaultExcludes bool     // disables the published ones, such as .git and node_modules
}
