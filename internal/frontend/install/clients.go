package install

// A Client is a program that starts MCP servers.
type Client struct {
	// ID is what the command line calls it.
	ID string
	// Title is its name.
	Title string
	// ProjectDir is how a file in the scope of a project names the project's directory in an argument.
	ProjectDir string
	// NextStep says what makes the client see a change.
	NextStep string

	format format
	// keys lead to the table of servers.
	keys []string
	// localKeys leads to the servers of one project in the user's file; nil where there are none.
	localKeys func(dir string) []string
	entry     func(Server) []field
	// userDir is the directory of names, the files of the userDir's scope. Both are empty where there is no such scope.
	userDir   func(Machine) string
	userFiles []string
	// projectFiles are the files of the projectFiles's scope, by their paths in its directory.
	projectFiles []string
}

// Clients returns the clients, in the order in which they are shown.
func Clients() []Client {
	return []Client{
		{
			ID: "claude-desktop", Title: "Claude Desktop", NextStep: "Quit Claude Desktop and start it again.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: applicationDir("Claude"), userFiles: []string{"claude_desktop_config.json"},
		},
		{
			ID: "claude-code", Title: "Claude Code", ProjectDir: ".", NextStep: "Start Claude Code in the project; it asks whether to use the server.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: typedEntry,
			localKeys: func(dir string) []string { return []string{"projects", dir, "mcpServers"} },
			userDir:   homeDir("CLAUDE_CONFIG_DIR", ""), userFiles: []string{".claude.json"},
			projectFiles: []string{".mcp.json"},
		},
		{
			ID: "cursor", Title: "Cursor", ProjectDir: "${workspaceFolder}", NextStep: "Enable the server in Cursor's settings, under MCP.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: homeDir("", ".cursor"), userFiles: []string{"mcp.json"},
			projectFiles: []string{".cursor/mcp.json"},
		},
		{
			ID: "vscode", Title: "VS Code", ProjectDir: "${workspaceFolder}", NextStep: "Run MCP: List Servers in VS Code and start the server.",
			format: jsonFormat{}, keys: []string{"servers"}, entry: typedEntry,
			userDir: applicationDir("Code/User"), userFiles: []string{"mcp.json"},
			projectFiles: []string{".vscode/mcp.json"},
		},
		{
			ID: "windsurf", Title: "Windsurf", NextStep: "Refresh the servers in Windsurf's MCP settings.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: homeDir("", ".codeium/windsurf"), userFiles: []string{"mcp_config.json"},
		},
		{
			ID: "gemini", Title: "Gemini CLI", ProjectDir: ".", NextStep: "Start Gemini CLI again; it starts servers in folders that you trust.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: func(m Machine) string { return m.join(or(m.Env("GEMINI_CLI_HOME"), m.Home), ".gemini") }, userFiles: []string{"settings.json"},
			projectFiles: []string{".gemini/settings.json"},
		},
		{
			ID: "codex", Title: "Codex", ProjectDir: ".", NextStep: "Start Codex again; it reads a project's file where you trust the project.",
			format: tomlFormat{}, keys: []string{"mcp_servers"}, entry: standardEntry,
			userDir: homeDir("CODEX_HOME", ".codex"), userFiles: []string{"config.toml"},
			projectFiles: []string{".codex/config.toml"},
		},
		{
			ID: "zed", Title: "Zed", ProjectDir: ".", NextStep: "Zed sees the change at once.",
			format: jsonFormat{}, keys: []string{"context_servers"}, entry: standardEntry,
			userDir: zedDir, userFiles: []string{"settings.json"},
			projectFiles: []string{".zed/settings.json"},
		},
		{
			ID: "opencode", Title: "opencode", ProjectDir: ".", NextStep: "Start opencode again.",
			format: jsonFormat{}, keys: []string{"mcp"}, entry: opencodeEntry,
			userDir: func(m Machine) string {
				return m.join(or(m.Env("XDG_CONFIG_HOME"), m.join(m.Home, ".config")), "opencode")
			},
			userFiles: []string{"opencode.json", "opencode.jsonc"},
			// The first that exists is changed.
			projectFiles: []string{"opencode.json", "opencode.jsonc"},
		},
	}
}

// standardEntry is the entry of a server in most clients.
func standardEntry(s Server) []field { return []field{{"command", s.Command}, {"args", s.Args}} }

// typedEntry is plain with the transport.
func typedEntry(s Server) []field { return append([]field{{"type", "stdio"}}, standardEntry(s)...) }

// opencodeEntry is the entry of a server in opencode.
func opencodeEntry(s Server) []field {
	return []field{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}, {"enabled", true}}
}

// homeDir is the directory that a variable of the environment names, or one below the homeDir directory.
func homeDir(variable, dir string) func(Machine) string {
	return func(m Machine) string {
		if set := m.Env(variable); variable != "" && set != "" {
			return set
		}
		return m.join(m.Home, dir)
	}
}

// applicationDir is the directory of a desktop application.
func applicationDir(dir string) func(Machine) string {
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

// zedDir follows the XDG directories on Linux, and not on macOS.
func zedDir(m Machine) string {
	if m.System == "darwin" {
		return m.join(m.Home, ".config/zed")
	}
	if m.System == "windows" {
		return applicationDir("Zed")(m)
	}
	return applicationDir("zed")(m)
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
