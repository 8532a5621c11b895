package install

// Clients are all clients by their names on the command line.
var Clients = map[string]Client{
	// code.claude.com/docs: mcp, settings, permissions
	"claude-code": {
		Scopes: []Scope{
			{"local", "~/.claude.json", ".claude/settings.local.json"},
			{"project", ".mcp.json", ".claude/settings.json"},
			{"user", "~/.claude.json", "~/.claude/settings.json"},
		},
		Workspace: ".",
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
		Scopes:   []Scope{{"user", "@/Claude/claude_desktop_config.json", ""}},
		Packaged: "Packages/Claude_*/LocalCache/Roaming",
		HasNone:  true,
	},
	// docs.cline.bot/mcp/configuring-mcp-servers
	"cline": {
		Scopes: []Scope{{
			"user", "@/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", "",
		}},
	},
	// developers.openai.com/codex/config-reference
	"codex": {
		Scopes: []Scope{{"user", "~/.codex/config.toml", ""}},
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
		Scopes: []Scope{{"user", "~/.copilot/mcp-config.json", ""}},
		more:   map[string]any{"type": "local", "tools": []string{"*"}},
	},
	// cursor.com/docs: context/mcp, cli/reference/permissions
	"cursor": {
		Scopes: []Scope{
			{"project", ".cursor/mcp.json", ".cursor/cli.json"},
			{"user", "~/.cursor/mcp.json", "~/.cursor/cli-config.json"},
		},
		Workspace: "${workspaceFolder}",
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
		Scopes:    projectOrUser(".gemini/settings.json", "~/.gemini/settings.json"),
		Workspace: ".",
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
		Scopes: projectOrUser(".junie/mcp/mcp.json", "~/.junie/mcp/mcp.json"),
	},
	// opencode.ai/docs: mcp-servers, permissions
	"opencode": {
		Scopes:     projectOrUser("opencode.json", "~/.config/opencode/opencode.json"),
		Workspace:  ".",
		object:     "mcp",
		OneCommand: true,
		more:       map[string]any{"type": "local", "enabled": true},
		Only:       opencodePermissions(),
		Open:       "files that you mention with @",
	},
	// code.visualstudio.com/docs/copilot/reference/mcp-configuration
	"vscode": {
		Scopes:    projectOrUser(".vscode/mcp.json", "@/Code/User/mcp.json"),
		Workspace: "${workspaceFolder}",
		object:    "servers",
		more:      map[string]any{"type": "stdio"},
	},
	// docs.windsurf.com/windsurf/cascade/mcp
	"windsurf": {
		Scopes: []Scope{{"user", "~/.codeium/windsurf/mcp_config.json", ""}},
	},
	// zed.dev/docs: ai/mcp, ai/agent-panel
	"zed": {
		Scopes:    projectOrUser(".zed/settings.json", "@/zed/settings.json"),
		Workspace: ".",
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

func projectOrUser(project, user string) []Scope {
	return []Scope{{"project", project, ""}, {"user", user, ""}}
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
