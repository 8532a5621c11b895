package clients

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit"
)

// An agent is a client that offers the tools to a model and makes its calls. In its strings, $URL
// is the URL of the model, $HOME and $PROJECT are directories.
type agent struct {
	program string // glob below node_modules
	prefix  string // that the agent adds to the names of the tools
	config  string // path of its configuration
	text    string // of the configuration
	env     []string
	install []string // arguments of gander install
	listed  []string // parts of the output of "mcp list"
	ask     []string // arguments for a question to the model
	// permission are further arguments for a question, without which the client would ask the user.
	permission []string
	// own are the names of the client's own tools for files.
	own []string
}

func agents() map[string]agent {
	return map[string]agent{
		"claude-code": claudeCode("mcp__gander__"),
		"codex": {
			program: ".bin/codex",
			config:  "$HOME/.codex/config.toml",
			text: `model = "stand-in" # no real one
model_provider = "local"

[model_providers.local]
name = "local"
base_url = "$URL/v1"
wire_api = "responses"
`,
			install: []string{"codex", "--scope", "user"},
			listed:  []string{"gander", "mcp --root $PROJECT", "enabled"},
			ask:     []string{"exec", "--skip-git-repo-check", "read what is here"},
			own:     []string{"shell", "shell_command", "exec_command", "view_image"},
		},
		"gemini": {
			program: ".bin/gemini", prefix: "mcp_gander_",
			config: "$HOME/.gemini/settings.json",
			text: `{
  // Use a key, and send no data elsewhere.
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false}
}
`,
			env: []string{
				"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=$URL", "GEMINI_CLI_TRUST_WORKSPACE=true",
			},
			install:    []string{"gemini", "--scope", "user"},
			listed:     []string{"✓ gander: ", "Connected"},
			ask:        []string{"--model", "gemini-2.5-pro", "-p", "read what is here"},
			permission: []string{"--approval-mode", "yolo"},
			own:        []string{"read_file", "glob", "list_directory", "run_shell_command"},
		},
		"opencode": {
			program: "opencode-linux-*-baseline/bin/opencode", prefix: "gander_",
			config: "$PROJECT/opencode.json",
			text: `{"model": "anthropic/claude-sonnet-4-5", "provider": {"anthropic": {"options":
				{"baseURL": "$URL/v1", "apiKey": "none"}}}}`,
			env:     []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"},
			install: []string{"opencode"},
			listed:  []string{"✓ gander", "connected"},
			ask:     []string{"run", "read what is here"},
			own:     []string{"read", "grep", "bash"},
		},
	}
}

// claudeCode returns Claude Code, with the prefix that it uses for a server.
func claudeCode(prefix string) agent {
	return agent{
		program: "@anthropic-ai/claude-code-*/claude", prefix: prefix,
		env: []string{
			"ANTHROPIC_BASE_URL=$URL", "ANTHROPIC_API_KEY=none", "ENABLE_TOOL_SEARCH=false",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		},
		install:    []string{"claude-code", "--scope", "user"},
		listed:     []string{"gander: ", "Connected"},
		ask:        []string{"-p", "read what is here"},
		permission: []string{"--allowedTools", strings.TrimSuffix(prefix, "__")},
		own:        []string{"Read", "Bash"},
	}
}

// test checks that gander install configures the agent, that the agent lists the server, offers its
// tools to the model, makes the requested calls and returns the outputs, and that the server can be
// removed.
func (a agent) test(t *testing.T, s setup) {
	m := newModel(t, a.prefix, s.calls())
	expand := func(texts ...string) []string {
		var all []string
		for _, text := range texts {
			all = append(all, strings.NewReplacer(
				"$URL", m.url, "$HOME", s.home, "$PROJECT", s.project).Replace(text))
		}
		return all
	}
	program, env, list := s.installed(t, "npm", a.program), expand(a.env...), []string{"mcp", "list"}
	// In a project, the entry has only the name of gander.
	search := filepath.Dir(s.gander) + string(os.PathListSeparator) + os.Getenv("PATH")
	env = append(env, "PATH="+search)
	if a.config != "" {
		write(t, expand(a.config)[0], expand(a.text)[0])
	}
	// npm links only a script that installs Claude Code.
	bin := filepath.Join(s.home, "bin")
	link := filepath.Join(bin, filepath.Base(program))
	testkit.Must(t, errors.Join(os.Mkdir(bin, 0o755), os.Symlink(program, link)))
	if filepath.Base(program) == "claude" {
		s.install(t, bin, "claude-code", "--scope", "project")
		s.run(t, env, []string{"gander: ", "Pending approval"}, program, list...)
		s.install(t, bin, "claude-code", "--scope", "project", "--remove")
	}
	s.install(t, bin, a.install...)
	s.run(t, env, expand(a.listed...), program, list...)
	s.run(t, env, []string{"all read"}, program, append(a.ask, a.permission...)...)
	s.check(t, m.received)
	if !containsAny(strings.Join(m.offered, "\n"), a.own...) {
		t.Errorf("none of the client's own tools %q is offered: %q", a.own, m.offered)
	}
	s.install(t, bin, append(a.install, "--remove")...)
	a.testOnly(t, s, m, bin, program, env)
	if out := s.run(t, env, nil, program, list...); strings.Contains(out, s.gander) {
		t.Errorf("the server is not removed:\n%s", out)
	}
}

// testOnly checks that --only makes gander the only way to files: the client's own tools are not
// offered to the model, and gander's run without a question.
func (a agent) testOnly(t *testing.T, s setup, m *model, bin, program string, env []string) {
	t.Helper()
	before := m.tools
	s.install(t, bin, append(a.install, "--only")...)
	m.received, m.offered, m.tools = nil, nil, nil
	said := s.run(t, env, []string{"all read"}, program, a.ask...)
	t.Logf("offered without --only: %q\noffered with --only: %q\nthe model asks for %v\n%s",
		before, m.tools, m.calls, said)
	s.check(t, m.received)
	for _, own := range a.own {
		if slices.Contains(m.offered, own) {
			t.Errorf("the client's own tool %s is offered", own)
		}
	}
	s.install(t, bin, append(a.install, "--only", "--remove")...)
}

// install runs gander install, which runs the commands of clients in bin.
func (s setup) install(t *testing.T, bin string, args ...string) {
	t.Helper()
	clients := filepath.Dir(s.installed(t, "npm", ".bin/mcpb"))
	path := []string{bin, clients, os.Getenv("PATH")}
	env := []string{ // The program must not be in the directory of temporary files.
		"PATH=" + strings.Join(path, string(os.PathListSeparator)), "TMPDIR=" + t.TempDir(),
	}
	args = append(append([]string{"install"}, args...), "--write")
	s.run(t, env, []string{"gander: done; "}, s.gander, args...)
}

// testFilesystem checks that the documented configurations of the official filesystem server work
// with the command replaced. It tests them in the official TypeScript client, and the Claude
// Desktop configuration in Claude Code.
func testFilesystem(t *testing.T, s setup) {
	path := "PATH=" + filepath.Dir(s.gander) + string(os.PathListSeparator) + os.Getenv("PATH")
	desktop := `{"mcpServers": {"filesystem": {"command": "gander",
		"args": ["mcp", "--tools", "filesystem", "` + s.project + `", "/path/to/other/allowed/dir"]}}}`
	calls := []call{
		{"read_text_file", object{"path": filepath.Join(s.project, "README.md")}},
		{"list_directory", object{"path": s.project}},
		{"read_text_file", object{"path": "/etc/passwd"}},
	}
	want := []string{"directory_tree", "Some text.", "[FILE] README.md", "Access denied"}
	for _, args := range [][]string{
		{"mcp", "--tools", "filesystem", s.project, "/path/to/other/allowed/dir"},
		{"mcp", "--tools", "filesystem", s.project}, // of VS Code
	} {
		checkContains(t, s.node(t, "npm", "client.mjs", object{
			"command": "gander", "args": args, "cwd": "/", "calls": calls,
		}, path), append(want, "secure-filesystem-server")...)
	}
	file := filepath.Join(s.home, "claude_desktop_config.json")
	write(t, file, desktop)
	claude := claudeCode("mcp__filesystem__")
	m := newModel(t, claude.prefix, calls)
	env := []string{path}
	for _, variable := range claude.env {
		env = append(env, strings.ReplaceAll(variable, "$URL", m.url))
	}
	ask := append(claude.ask, append(claude.permission, "--mcp-config", file, "--strict-mcp-config")...)
	s.run(t, env, []string{"all read"}, s.installed(t, "npm", claude.program), ask...)
	checkContains(t, m.received, want...)
}
