package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"gander"
)

// release is the version of a release, which the linker sets. It is empty in any other build, and nothing writes to it.
var release string

// version returns the version of the release, or else what the build says of the main module.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// revisions returns the revisions of the Model Context Protocol that the server speaks.
func revisions() []string {
	return []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
}

func newVersionCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, or with --json more about the build",
		Example: `  gander version
  gander version --json`,
		Args: arguments(0, 0, "no arguments"),
	}
	asJSON := cmd.Flags().Bool("json", false, "print a JSON object with all details")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			return writeJSON(cmd, newBuild())
		}
		return write(cmd, "gander "+version()+"\n")
	}
	return cmd
}

// A build describes this program. Commit and Date are those of the source, if it was built in a repository.
type build struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit,omitempty"`
	Date     string   `json:"date,omitempty"`
	Modified bool     `json:"modified"`
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	MCP      []string `json:"mcp"`
	Tools    []string `json:"tools"`
}

func newBuild() build {
	b := build{Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, MCP: revisions()}
	for _, s := range gander.BuiltinTools() {
		b.Tools = append(b.Tools, s.ID)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
