package install

// A Client is a program that starts MCP servers.
type Client struct {
	// ID is what the command line calls it.
	ID string
	// Title is its name.
	Title string
	// Here is how a file in the scope of a project names the project's directory in an argument.
	Here string
	// Next says what makes the client see a change.
	Next string

	format format
	// keys lead to the table of servers.
	keys []string
	// local leads to the servers of one project in the user's file; nil where there are none.
	local func(dir string) []string
	shape func(Server) []field
	// user is the directory of names, the files of the user's scope. Both are empty where there is no such scope.
	user  func(Machine) string
	names []string
	// project are the files of the project's scope, by their paths in its directory.
	project []string
}

// Clients returns the clients, in the order in which they are shown.
func Clients() []Client {
	return []Client{
		{
			ID: "claude-desktop", Title: "Claude Desktop", Next: "Quit Claude Desktop and start it again.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, shape: plain,
			user: applications("Claude"), names: []string{"claude_desktop_config.json"},
		},
		{
			ID: "claude-code", Title: "Claude Code", Here: ".", Next: "Start Claude Code in the project; it asks whether to use the server.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, shape: typed,
			local: func(dir string) []string { return []string{"projects", dir, "mcpServers"} },
			user:  home("CLAUDE_CONFIG_DIR", ""), names: []string{".claude.json"},
			project: []string{".mcp.json"},
		},
		{
			ID: "cursor", Title: "Cursor", Here: "${workspaceFolder}", Next: "Enable the server in Cursor's settings, under MCP.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, shape: plain,
			user: home("", ".cursor"), names: []string{"mcp.json"},
			project: []string{".cursor/mcp.json"},
		},
		{
			ID: "vscode", Title: "VS Code", Here: "${workspaceFolder}", Next: "Run MCP: List Servers in VS Code and start the server.",
			format: jsonFormat{}, keys: []string{"servers"}, shape: typed,
			user: applications("Code/User"), names: []string{"mcp.json"},
			project: []string{".vscode/mcp.json"},
		},
		{
			ID: "windsurf", Title: "Windsurf", Next: "Refresh the servers in Windsurf's MCP settings.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, shape: plain,
			user: home("", ".codeium/windsurf"), names: []string{"mcp_config.json"},
		},
		{
			ID: "gemini", Title: "Gemini CLI", Here: ".", Next: "Start Gemini CLI again; it starts servers in folders that you trust.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, shape: plain,
			user: func(m Machine) string { return m.join(or(m.Env("GEMINI_CLI_HOME"), m.Home), ".gemini") }, names: []string{"settings.json"},
			project: []string{".gemini/settings.json"},
		},
		{
			ID: "codex", Title: "Codex", Here: ".", Next: "Start Codex again; it reads a project's file where you trust the project.",
			format: tomlFormat{}, keys: []string{"mcp_servers"}, shape: plain,
			user: home("CODEX_HOME", ".codex"), names: []string{"config.toml"},
			project: []string{".codex/config.toml"},
		},
		{
			ID: "zed", Title: "Zed", Here: ".", Next: "Zed sees the change at once.",
			format: jsonFormat{}, keys: []string{"context_servers"}, shape: plain,
			user: zed, names: []string{"settings.json"},
			project: []string{".zed/settings.json"},
		},
		{
			ID: "opencode", Title: "opencode", Here: ".", Next: "Start opencode again.",
			format: jsonFormat{}, keys: []string{"mcp"}, shape: local,
			user: func(m Machine) string {
				return m.join(or(m.Env("XDG_CONFIG_HOME"), m.join(m.Home, ".config")), "opencode")
			},
			names: []string{"opencode.json", "opencode.jsonc"},
			// The first that exists is changed.
			project: []string{"opencode.json", "opencode.jsonc"},
		},
	}
}

// plain is the entry of a server in most clients.
func plain(s Server) []field { return []field{{"command", s.Command}, {"args", s.Args}} }

// typed is plain with the transport.
func typed(s Server) []field { return append([]field{{"type", "stdio"}}, plain(s)...) }

// local is the entry of a server in opencode.
func local(s Server) []field {
	return []field{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}, {"enabled", true}}
}

// home is the directory that a variable of the environment names, or one below the home directory.
func home(variable, dir string) func(Machine) string {
	return func(m Machine) string {
		if set := m.Env(variable); variable != "" && set != "" {
			return set
		}
		return m.join(m.Home, dir)
	}
}

// applications is the directory of a desktop application.
func applications(dir string) func(Machine) string {
	return func(m Machine) string {
		switch m.System {
		case "darwin":
			return m.join(m.Home, "Library/Application Support", dir)
		case "windows":
			return m.join(or(m.Env("APPDATA"), m.join(m.Home, "AppData/Roaming")), dir)
		default:
			return m.join(or(m.Env("XDG_CONFIG_HOME"), m.join(m.Home, ".config")), dir)
		}
	}
}

// zed follows the XDG directories on Linux, and not on macOS.
func zed(m Machine) string {
	if m.System == "darwin" {
		return m.join(m.Home, ".config/zed")
	}
	if m.System == "windows" {
		return applications("Zed")(m)
	}
	return applications("zed")(m)
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
