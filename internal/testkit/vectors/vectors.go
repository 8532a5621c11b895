//go:build unix

// Package vectors reads the conformance vectors, builds their fixtures and runs their cases, through the Go API or through a
// protocol. The fixtures need FIFOs, permissions and symlinks, so it runs on Unix only.
package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// A File holds cases of one tool.
type File struct {
	Tool string
	// Definition is what the tool must publish; nil if the file does not say.
	Definition *Definition
	Fixtures   map[string][]Item
	Cases      []Case
}

// A Definition is a tool's published metadata. A nil field is not checked.
type Definition struct {
	Name             *string         `json:"name"`
	Description      *string         `json:"description"`
	Schema           json.RawMessage `json:"schema"`
	Parameters       json.RawMessage `json:"parameters"` // another name for Schema
	SideEffects      *bool           `json:"is_side_effecting"`
	RequiresApproval *bool           `json:"requires_approval"`
	Risk             *string         `json:"risk_level"`
}

// A Case is a call and its expected outcome.
type Case struct {
	Name string `json:"name"`
	// Tool is the id of the tool, if it is not that of the file.
	Tool    string          `json:"tool"`
	Fixture string          `json:"fixture"`
	Args    json.RawMessage `json:"args"`
	Config  Config          `json:"config"`
	Expect  Expect          `json:"expect"`
	// NeedsUnprivileged says that the case needs a process that file permissions bind, so not root.
	NeedsUnprivileged bool `json:"needs_unprivileged"`
	// Original is what the original program answers where gander answers otherwise. It is not checked.
	Original json.RawMessage `json:"original"`

	text json.RawMessage // the case as written in the file
}

// Config holds what a case sets differently from the default.
type Config struct {
	MaxOutputBytes          *int          `json:"max_output_bytes"`
	AvailableCapacityBytes  *int          `json:"available_capacity_bytes"`
	ListDirectory           ListDirectory `json:"list_directory"`
	Sandbox                 Sandbox       `json:"sandbox"`
	WorkspaceRoot           string        `json:"workspace_root"`
	AdditionalWorkspaceDirs []string      `json:"additional_workspace_dirs"`
	RespectGitIgnore        *bool         `json:"respect_git_ignore"`
	RespectGeminiIgnore     *bool         `json:"respect_gemini_ignore"`
	// Home is the home directory of the process. ClientRoots are the URIs of the roots of an MCP client; nil if it has none.
	Home        string   `json:"home"`
	ClientRoots []string `json:"client_roots"`
}

// ListDirectory holds the keys of [tools.list_directory] (CFG-LD-01).
type ListDirectory struct {
	MaxEntries      int   `json:"max_entries"`
	MaxDepth        int   `json:"max_depth"`
	IncludeHidden   bool  `json:"include_hidden_default"`
	IncludeOther    bool  `json:"include_other_default"`
	IncludeFiles    *bool `json:"include_files_default"`
	IncludeDirs     *bool `json:"include_dirs_default"`
	IncludeSymlinks *bool `json:"include_symlinks_default"`
}

// Sandbox holds the keys of [sandbox].
type Sandbox struct {
	AllowAbsolute *bool `json:"allow_absolute"`
}

// Expect is the expected outcome of a call. A nil field is not checked. In Content, ${DATE} stands for any time as
// filesystem/get_file_info writes it, and ${SIZE} for any number.
type Expect struct {
	OK              *bool           `json:"ok"`
	Content         *string         `json:"content"`
	JSON            json.RawMessage `json:"json"`
	Display         *string         `json:"display"`
	Message         *string         `json:"message"`
	MessageContains *string         `json:"message_contains"`
	Code            *string         `json:"code"`
	// ContentBlocks and Structured are what an MCP client gets as content and structuredContent.
	ContentBlocks json.RawMessage `json:"content_blocks"`
	Structured    json.RawMessage `json:"structured"`
}

// Load reads every *.json file of fsys, ordered by name. An unknown key of a case, a fixture or a definition is an error, so
// that a misspelled one does not go unnoticed. Unknown keys of the file itself are notes.
func Load(fsys fs.FS) ([]File, error) {
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, err
	}
	files := make([]File, len(names))
	for i, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if files[i], err = parse(data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

func parse(data []byte) (File, error) {
	var raw struct {
		Tool                 string
		Definition, Fixtures json.RawMessage
		Cases                []json.RawMessage
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return File{}, err
	}
	f := File{Tool: raw.Tool}
	if f.Tool == "" {
		return f, errors.New("no tool is named")
	}
	if raw.Definition != nil {
		if err := strict(raw.Definition, &f.Definition); err != nil {
			return f, fmt.Errorf("definition: %w", err)
		}
	}
	if err := strict(raw.Fixtures, &f.Fixtures); err != nil {
		return f, fmt.Errorf("fixtures: %w", err)
	}
	for i, text := range raw.Cases {
		c, err := parseCase(text)
		if err == nil {
			err = f.check(c)
		}
		if err != nil {
			return f, fmt.Errorf("case %d (%q): %w", i+1, c.Name, err)
		}
		f.Cases = append(f.Cases, c)
	}
	return f, nil
}

// check returns an error if c cannot be added to f.
func (f File) check(c Case) error {
	switch {
	case c.Name == "":
		return errors.New("it has no name")
	case slices.ContainsFunc(f.Cases, func(other Case) bool { return other.Name == c.Name }):
		return errors.New("an earlier case has the same name")
	case f.Fixtures[c.Fixture] == nil:
		return fmt.Errorf("there is no fixture %q", c.Fixture)
	case c.Expect.OK == nil:
		return errors.New("expect.ok is missing")
	default:
		return nil
	}
}

func parseCase(text json.RawMessage) (Case, error) {
	c := Case{text: text}
	if err := strict(text, &c); err != nil {
		return c, err
	}
	var args bytes.Buffer // on one line, because MCP over stdio needs that
	if len(c.Args) > 0 {
		if err := json.Compact(&args, c.Args); err != nil {
			return c, err
		}
	}
	c.Args = args.Bytes()
	return c, nil
}

// at returns the case with ${ROOT} replaced by root everywhere.
func (c Case) at(root string) (Case, error) {
	quoted, err := json.Marshal(root)
	if err != nil {
		return c, err
	}
	return parseCase(bytes.ReplaceAll(c.text, []byte("${ROOT}"), quoted[1:len(quoted)-1]))
}

// strict decodes one JSON value into v. An unknown key is an error.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the value")
	}
	return nil
}
