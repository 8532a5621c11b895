package install

// Clients are all clients by their names on the command line.
var Clients = map[string]Client{
	// code.claude.com/docs: mcp, settings, permissions
	"claude-code": {
		Scopes:    []string{"local", "project", "user"},
		Workspace: ".",
		files: map[string]string{
			"local":   "~/.claude.json",
			"project": ".mcp.json",
			"user":    "~/.claude.json",
		},
		settings: map[string]string{
			"local": ".claude/settings.local.json", "project": ".claude/settings.json",
			"user": "~/.claude/settings.json",
		},
		Only: []restriction{
			{
				keys: []string{"permissions", "deny"},
				members: map[string][]string{
					Reading: {"Read", "Glob", "Grep", "LSP", "Bash", "PowerShell", "Monitor"},
					Editing: {"Edit", "Write", "NotebookEdit"},
					Web:     {"WebFetch", "WebSearch"},
				},
			},
			{
				keys:    []string{"permissions", "allow"},
				members: map[string][]string{Reading: {"mcp__" + nameKey + "__*"}},
			},
		},
		Open: "files that you mention with @",
	},
	// modelcontextprotocol.io/docs/develop/connect-local-servers
	"claude-desktop": {
		Scopes:   []string{"user"},
		files:    map[string]string{"user": "@/Claude/claude_desktop_config.json"},
		Packaged: "Packages/Claude_*/LocalCache/Roaming",
		HasNone:  true,
	},
	// docs.cline.bot/mcp/configuring-mcp-servers
	"cline": {
		Scopes: []string{"user"},
		files: map[string]string{
			"user": "@/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
		},
	},
	// developers.openai.com/codex/config-reference
	"codex": {
		Scopes: []string{"user"},
		files:  map[string]string{"user": "~/.codex/config.toml"},
		object: "mcp_servers",
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
		files:  map[string]string{"user": "~/.copilot/mcp-config.json"},
		more:   map[string]any{"type": "local", "tools": []string{"*"}},
	},
	// cursor.com/docs: context/mcp, cli/reference/permissions
	"cursor": {
		Scopes:    []string{"project", "user"},
		Workspace: "${workspaceFolder}",
		files:     map[string]string{"project": ".cursor/mcp.json", "user": "~/.cursor/mcp.json"},
		settings: map[string]string{
			"project": ".cursor/cli.json", "user": "~/.cursor/cli-config.json",
		},
		Only: []restriction{
			{
				keys: []string{"permissions", "deny"},
				members: map[string][]string{
					Reading: {"Read(**)", "Shell(*)"}, Editing: {"Write(**)"}, Web: {"WebFetch(*)"},
				},
			},
			{
				keys:    []string{"permissions", "allow"},
				members: map[string][]string{Reading: {"Mcp(" + nameKey + ":*)"}},
			},
		},
		Open: "the editor, which has no such setting: only the command line is restricted",
	},
	// geminicli.com/docs/reference/configuration
	"gemini": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		files: map[string]string{
			"project": ".gemini/settings.json", "user": "~/.gemini/settings.json",
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
		files:  map[string]string{"project": ".junie/mcp/mcp.json", "user": "~/.junie/mcp/mcp.json"},
	},
	// opencode.ai/docs: mcp-servers, permissions
	"opencode": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		files: map[string]string{
			"project": "opencode.json",
			"user":    "~/.config/opencode/opencode.json",
		},
		object:     "mcp",
		OneCommand: true,
		more:       map[string]any{"type": "local", "enabled": true},
		Only:       opencodePermissions(),
		Open:       "files that you mention with @",
	},
	// code.visualstudio.com/docs/copilot/reference/mcp-configuration
	"vscode": {
		Scopes:    []string{"project", "user"},
		Workspace: "${workspaceFolder}",
		files:     map[string]string{"project": ".vscode/mcp.json", "user": "@/Code/User/mcp.json"},
		object:    "servers",
		more:      map[string]any{"type": "stdio"},
	},
	// docs.windsurf.com/windsurf/cascade/mcp
	"windsurf": {
		Scopes: []string{"user"},
		files:  map[string]string{"user": "~/.codeium/windsurf/mcp_config.json"},
	},
	// zed.dev/docs: ai/mcp, ai/agent-panel
	"zed": {
		Scopes:    []string{"project", "user"},
		Workspace: ".",
		files:     map[string]string{"project": ".zed/settings.json", "user": "@/zed/settings.json"},
		object:    "context_servers",
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
