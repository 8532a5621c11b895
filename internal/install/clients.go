package install

import "cmp"

// A Client is a program that starts MCP servers.
type Client struct {
	// ID names the client on the command line, Title everywhere else.
	ID, Title string
	// ProjectDir is what a file in the project scope writes for the project's directory in an argument. It is empty if
	// the client has no project scope.
	ProjectDir string

	// nextStep tells a person what to do so that the client sees a change, and nextUserStep what to do in the user scope if
	// that differs.
	nextStep, nextUserStep string
	format                 format
	// keys is the path of the table of servers in a file, and entry makes the entry of a server there.
	keys  []string
	entry func(Server) []field
	// localKeys returns the path of the servers of one project in the user's file. It is nil if there are none.
	localKeys func(dir string) []string
	// userFiles are the files of the user scope, in the directory that userDir returns; projectFiles are those of the
	// project scope, in the project's directory. The first that exists is changed, or else the first is made. A client
	// without files for a scope does not have that scope.
	userDir                 func(Machine) string
	userFiles, projectFiles []string
	// programs are the client's commands.
	programs []string
}

// Clients returns all clients in the order in which they are shown.
func Clients() []Client {
	return []Client{
		{
			ID: "claude-desktop", Title: "Claude Desktop", nextStep: "Quit Claude Desktop and start it again.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: applicationDir("Claude"), userFiles: []string{"claude_desktop_config.json"},
		},
		{
			ID: "claude-code", Title: "Claude Code", ProjectDir: ".", nextStep: "Start Claude Code in the project; it asks whether to use the server.",
			nextUserStep: "Start Claude Code again.",
			format:       jsonFormat{}, keys: []string{"mcpServers"}, entry: claudeCodeEntry,
			localKeys: func(dir string) []string { return []string{"projects", dir, "mcpServers"} },
			userDir:   homeDir("CLAUDE_CONFIG_DIR", ""), userFiles: []string{".claude.json"},
			projectFiles: []string{".mcp.json"}, programs: []string{"claude"},
		},
		{
			ID: "cursor", Title: "Cursor", ProjectDir: "${workspaceFolder}", nextStep: "Enable the server in Cursor's settings, under MCP.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: homeDir("", ".cursor"), userFiles: []string{"mcp.json"},
			projectFiles: []string{".cursor/mcp.json"}, programs: []string{"cursor", "cursor-agent"},
		},
		{
			ID: "vscode", Title: "VS Code", ProjectDir: "${workspaceFolder}", nextStep: "Run MCP: List Servers in VS Code and start the server.",
			format: jsonFormat{}, keys: []string{"servers"}, entry: typedEntry,
			userDir: applicationDir("Code/User"), userFiles: []string{"mcp.json"},
			projectFiles: []string{".vscode/mcp.json"}, programs: []string{"code"},
		},
		{
			ID: "windsurf", Title: "Windsurf", nextStep: "Refresh the servers in Windsurf's MCP settings.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: homeDir("", ".codeium/windsurf"), userFiles: []string{"mcp_config.json"},
			programs: []string{"windsurf"},
		},
		{
			ID: "gemini", Title: "Gemini CLI", ProjectDir: ".", nextStep: "Start Gemini CLI again; it starts servers in folders that you trust.",
			format: jsonFormat{}, keys: []string{"mcpServers"}, entry: standardEntry,
			userDir: func(m Machine) string { return m.join(cmp.Or(m.Env("GEMINI_CLI_HOME"), m.Home), ".gemini") }, userFiles: []string{"settings.json"},
			projectFiles: []string{".gemini/settings.json"}, programs: []string{"gemini"},
		},
		{
			ID: "codex", Title: "Codex", ProjectDir: ".", nextStep: "Start Codex again; it reads a project's file where you trust the project.",
			nextUserStep: "Start Codex again.",
			format:       tomlFormat{}, keys: []string{"mcp_servers"}, entry: standardEntry,
			userDir: homeDir("CODEX_HOME", ".codex"), userFiles: []string{"config.toml"},
			projectFiles: []string{".codex/config.toml"}, programs: []string{"codex"},
		},
		{
			ID: "zed", Title: "Zed", ProjectDir: ".", nextStep: "Zed sees the change at once.",
			format: jsonFormat{}, keys: []string{"context_servers"}, entry: standardEntry,
			userDir: zedDir, userFiles: []string{"settings.json"},
			projectFiles: []string{".zed/settings.json"}, programs: []string{"zed", "zeditor"},
		},
		{
			ID: "opencode", Title: "opencode", ProjectDir: ".", nextStep: "Start opencode again.",
			format: jsonFormat{}, keys: []string{"mcp"}, entry: opencodeEntry,
			userDir: func(m Machine) string { return m.join(xdgConfigHome(m), "opencode") }, userFiles: []string{"opencode.json", "opencode.jsonc"},
			projectFiles: []string{"opencode.json", "opencode.jsonc"}, programs: []string{"opencode"},
		},
	}
}

// NextStep tells a person what to do so that the client sees a change in a scope.
func (c Client) NextStep(scope Scope) string {
	if scope == User {
		return cmp.Or(c.nextUserStep, c.nextStep)
	}
	return c.nextStep
}

// standardEntry returns the entry of a server in most clients.
func standardEntry(s Server) []field {
	return []field{{"command", s.Command}, {"args", list(s.Args...)}}
}

// typedEntry returns the standard entry with its transport.
func typedEntry(s Server) []field { return append([]field{{"type", "stdio"}}, standardEntry(s)...) }

// claudeCodeEntry returns the entry of a server in Claude Code, which gives the model the server's tools from the start
// instead of having it search for them.
func claudeCodeEntry(s Server) []field { return append(typedEntry(s), field{"alwaysLoad", true}) }

// opencodeEntry returns the entry of a server in opencode.
func opencodeEntry(s Server) []field {
	return []field{{"type", "local"}, {"command", list(append([]string{s.Command}, s.Args...)...)}, {"enabled", true}}
}

// list returns words as the value of a field.
func list(words ...string) []any {
	values := make([]any, len(words))
	for i, word := range words {
		values[i] = word
	}
	return values
}

// homeDir returns the directory that an environment variable names, or else dir in the home directory.
func homeDir(variable, dir string) func(Machine) string {
	return func(m Machine) string {
		if set := m.Env(variable); variable != "" && set != "" {
			return set
		}
		return m.join(m.Home, dir)
	}
}

// applicationDir returns the directory in which a desktop application keeps its files.
func applicationDir(dir string) func(Machine) string {
	return func(m Machine) string {
		switch m.System {
		case "darwin":
			return m.join(m.Home, "Library/Application Support", dir)
		case "windows":
			return m.join(cmp.Or(m.Env("APPDATA"), m.join(m.Home, "AppData/Roaming")), dir)
		default:
			return m.join(xdgConfigHome(m), dir)
		}
	}
}

func xdgConfigHome(m Machine) string {
	return cmp.Or(m.Env("XDG_CONFIG_HOME"), m.join(m.Home, ".config"))
}

// zedDir follows the XDG directories on Linux, but not on macOS.
func zedDir(m Machine) string {
	switch m.System {
	case "darwin":
		return m.join(m.Home, ".config/zed")
	case "windows":
		return applicationDir("Zed")(m)
	default:
		return applicationDir("zed")(m)
	}
}
