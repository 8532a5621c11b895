package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// revisions are those of the Model Context Protocol that the server speaks.
func revisions() []string {
	return []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}
}

func newVersionCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, or with --json all that is known of the build",
		Example: `  gander version
  gander version --json`,
		Args: arguments(0, 0, "no arguments"),
	}
	asJSON := cmd.Flags().Bool("json", false, "print one JSON document: version, commit, date, Go, platform, MCP revisions and tools")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			return writeJSON(cmd, built())
		}
		return write(cmd.OutOrStdout(), "gander "+version()+"\n")
	}
	return cmd
}

// A build is what is known of this program. Commit and Date are those of the source, where it was built in a repository.
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

func built() build {
	b := build{Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, MCP: revisions(), Tools: toolIDs()}
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
