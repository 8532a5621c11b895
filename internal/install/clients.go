package install

// Clients are all clients by their names on the command line.
var Clients = map[string]Client{
	// code.claude.com/docs: mcp, settings, permissions
	"claude-code": {
		Scopes:    []string{"local", "project", "user"},
		Workspace: ".",
		Servers: map[string]setting{
			"local":   {"~/.claude.json", []string{"projects", directoryKey, "mcpServers"}},
			"project": {".mcp.json", []string{"mcpServers"}},
			"user":    {"~/.claude.json", []string{"mcpServers"}},
		},
		Only: []restriction{
			{
				files: claudeSettings(), keys: []string{"permissions", "deny"},
				members: map[string][]string{
					Reading: {"Read", "Glob", "Grep", "LSP", "Bash", "PowerShell", "Monitor"},
					Editing: {"Edit", "Write", "NotebookEdit"},
					Web:     {"WebFetch", "WebSearch"},
				},
			},
			{
				files: claudeSettings(), keys: []string{"permissions", "allow"},
				members: map[string][]string{Reading: {"mcp__" + nameKey + "__*"}},
			},
		},
		Open: "files that you mention with @",
	},
	// modelcontextprotocol.io/docs/develop/connect-local-servers
	"claude-desktop": {
		Scopes: []string{"user"},
		Servers: map[string]setting{
			"user": {"@/Claude/claude_desktop_config.json", []string{"mcpServers"}},
		},
		Packaged: "Packages/Claude_*/LocalCache/Roaming",
		HasNone:  true,
	},
	// docs.cline.bot/mcp/configuring-mcp-servers
	"cline": {
		Scopes: []string{"user"},
		Servers: map[string]setting{"user": {
			"@/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
			[]string{"mcpServers"},
		}},
	},
	// developers.openai.com/codex/config-reference
	"codex": {
		Scopes: []string{"user"},
		Servers: map[string]setting{
			"user": {"~/.codex/config.toml", []string{"mcp_servers"}},
		},
		format: tomlFormat{},
		Only: []restriction{
			{keys: []string{"features", "shell_tool"}, value: false, kind: Reading},
			{keys: []string{"features", "view_image"}, value: false, kind: Reading},
			{keys: []string{"web_search"}, value: "disabled", kind: Web},
		},
		Open: "apply_patch, which reads what it changes",
	},
	// docs.github.com/copilot/how-tos/use-copilot-agents/use-copilot-cli
	"copilot-cli": {
		Scopes: []string{"user"},
		Servers: map[string]setting{
			"user": {"~/.copilot/mcp-config.json", []string{"mcpServers"}},
		},
		more: map[string]any{"type": "local", "tools": []string{"*"}},
	},
	// cursor.com/docs: context/mcp, cli/reference/permissions
	"cursor": {
		Scopes:    []string{"project", "user"},
		Workspace: "${workspaceFolder}",
		Servers: map[string]setting{
			"project": {".cursor/mcp.json", []string{"mcpServers"}},
			"user":    {"~/.cursor/mcp.json", []string{"mcpServers"}},
		},
		Only: []restriction{
			{
				files: cursorSettings(), keys: []string{"permissions", "deny"},
				members: map[string][]string{
					Reading: {"Read(**)", "Shell(*)"}, Editing: {"Write(**)"}, Web: {"WebFetch(*)"},
				},
			},
			{
				files: cursorSettings(), keys: []string{"permissions", "allow"},
				members: map[string][]string{Reading: {"Mcp(" + nameKey + ":*)"}},
			},
		},
		Open: "the editor, which has no such setting: only the command line is restricted",
	},
	// geminicli.com/docs/reference/configuration
	"gemini": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		Servers: map[string]setting{
			"project": {".gemini/settings.json", []string{"mcpServers"}},
			"user":    {"~/.gemini/settings.json", []string{"mcpServers"}},
		},
		Only: []restriction{{
			// The names read_file and list_directory would exclude gander's tools, too. Those of
			// the client's classes do not.
			keys: []string{"tools", "exclude"},
			members: map[string][]string{
				Reading: {
					"ReadFileTool", "read_many_files", "LSTool", "glob", "search_file_content",
					"grep_search", "run_shell_command",
				},
				Editing: {"write_file", "replace"},
				Web:     {"web_fetch", "google_web_search"},
			},
		}},
		trusted: map[string]any{"trust": true},
		Open:    "files that you mention with @",
	},
	// www.jetbrains.com/help/junie/model-context-protocol-mcp.html
	"junie": {
		Scopes: []string{"project", "user"},
		Servers: map[string]setting{
			"project": {".junie/mcp/mcp.json", []string{"mcpServers"}},
			"user":    {"~/.junie/mcp/mcp.json", []string{"mcpServers"}},
		},
	},
	// opencode.ai/docs: mcp-servers, permissions
	"opencode": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		Servers: map[string]setting{
			"project": {"opencode.json", []string{"mcp"}},
			"user":    {"~/.config/opencode/opencode.json", []string{"mcp"}},
		},
		OneCommand: true,
		more:       map[string]any{"type": "local", "enabled": true},
		Only:       opencodePermissions(),
		Open:       "files that you mention with @",
	},
	// code.visualstudio.com/docs/copilot/reference/mcp-configuration
	"vscode": {
		Scopes:    []string{"project", "user"},
		Workspace: "${workspaceFolder}",
		Servers: map[string]setting{
			"project": {".vscode/mcp.json", []string{"servers"}},
			"user":    {"@/Code/User/mcp.json", []string{"servers"}},
		},
		more: map[string]any{"type": "stdio"},
	},
	// docs.windsurf.com/windsurf/cascade/mcp
	"windsurf": {
		Scopes: []string{"user"},
		Servers: map[string]setting{
			"user": {"~/.codeium/windsurf/mcp_config.json", []string{"mcpServers"}},
		},
	},
	// zed.dev/docs: ai/mcp, ai/agent-panel
	"zed": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		Servers: map[string]setting{
			"project": {".zed/settings.json", []string{"context_servers"}},
			"user":    {"@/zed/settings.json", []string{"context_servers"}},
		},
		UserOnMac: "~/.config/zed/settings.json",
		Only: []restriction{{
			keys: []string{"agent", "profiles", nameKey},
			value: map[string]any{
				"name": "gander", "tools": map[string]any{},
				"enable_all_context_servers": true,
			},
			kind: Reading,
		}},
		Open: "everything until you choose the profile of gander in the agent panel",
	},
}

func claudeSettings() map[string]string {
	return map[string]string{
		"local": ".claude/settings.local.json", "project": ".claude/settings.json",
		"user": "~/.claude/settings.json",
	}
}

func cursorSettings() map[string]string {
	return map[string]string{"project": ".cursor/cli.json", "user": "~/.cursor/cli-config.json"}
}

func opencodePermissions() (all []restriction) {
	set := func(value, kind string, tools ...string) {
		for _, tool := range tools {
			keys := []string{"permission", tool}
			all = append(all, restriction{keys: keys, value: value, kind: kind})
		}
	}
	set("deny", Reading, "read", "list", "glob", "grep", "bash", "lsp")
	set("deny", Editing, "edit")
	set("deny", Web, "webfetch", "websearch", "codesearch")
	set("allow", Reading, nameKey+"_*")
	return all
}
