package install

// Clients are all clients by their names on the command line.
var Clients = map[string]Client{
	"claude-code": {
		Scopes:    []string{"local", "project", "user"},
		Workspace: ".",
		Add:       "claude mcp add --scope SCOPE gander -- COMMAND ARGS",
		Remove:    "claude mcp remove gander -s SCOPE",
		Show:      "claude mcp get gander",
	},
	"claude-desktop": {
		Scopes:   []string{"user"},
		User:     "Claude/claude_desktop_config.json",
		Key:      "mcpServers",
		Packaged: "Packages/Claude_*/LocalCache/Roaming",
	},
	"codex": {
		Scopes: []string{"user"},
		Add:    "codex mcp add gander -- COMMAND ARGS",
		Remove: "codex mcp remove gander",
		Show:   "codex mcp get gander",
	},
	"cursor": {
		Scopes:    []string{"project", "user"},
		Workspace: "${workspaceFolder}",
		Project:   ".cursor/mcp.json",
		User:      "~/.cursor/mcp.json",
		Key:       "mcpServers",
	},
	"gemini": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		Add:       "gemini mcp add --scope SCOPE gander COMMAND -- ARGS",
		Project:   ".gemini/settings.json",
		User:      "~/.gemini/settings.json",
		Key:       "mcpServers",
	},
	"opencode": {
		Scopes:     []string{"project", "user"},
		Workspace:  ".",
		Project:    "opencode.json",
		User:       "~/.config/opencode/opencode.json",
		Key:        "mcp",
		OneCommand: true,
	},
	"vscode": {
		Scopes:    []string{"user"},
		Workspace: "${workspaceFolder}",
		Add:       "code --add-mcp JSON",
		User:      "Code/User/mcp.json",
		Key:       "servers",
	},
	"windsurf": {
		Scopes: []string{"user"},
		User:   "~/.codeium/windsurf/mcp_config.json",
		Key:    "mcpServers",
	},
	"zed": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		Project:   ".zed/settings.json",
		User:      "zed/settings.json",
		UserOnMac: "~/.config/zed/settings.json",
		Key:       "context_servers",
	},
}
