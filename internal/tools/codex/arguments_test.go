package codex

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

const parseError = "failed to parse function arguments: "

// TestArguments checks which arguments are refused, in the published order and with the published messages. Errors of parsing
// are those of the original's deserializer, and keys that the schema forbids. The workspace is closed, so that a tool that
// looked at a file would fail differently.
func TestArguments(t *testing.T) {
	w, _ := tooltest.ClosedWorkspace(t)
	list := NewListDir(w, ListDirSettings{Limit: 25, Depth: 2, MaxLimit: 100, MaxDepth: 9})
	read := NewReadFile(w, ReadFileSettings{Limit: 2000, MaxLevels: 4, MaxLimit: 5000})
	const unsigned = ", expected an unsigned integer"
	for _, tt := range []struct {
		tool          tool.Tool
		args, message string
	}{
		{list, ``, parseError + "missing field `dir_path`"},
		{list, `[]`, parseError + `invalid JSON at byte 1: array where a JSON object must stand; give one like {"key": "value"}`},
		{list, `{"dir_path":null}`, parseError + "invalid type for `dir_path`: null, expected a string"},
		{list, `{"dir_path":7}`, parseError + "invalid type for `dir_path`: number, expected a string"},
		{list, `{"dir_path":"/","dir_path":"/"}`, parseError + `invalid JSON at byte 17: the key "dir_path" is given twice; give it once`},
		{list, `{"dir_path":"/","path":"/"}`, parseError + "unknown field `path`, expected one of `dir_path`, `offset`, `limit`, `depth`"},
		{list, `{"dir_path":"/","Offset":1}`, parseError + "unknown field `Offset`, expected one of `dir_path`, `offset`, `limit`, `depth`"},
		{list, `{"dir_path":"/","offset":null}`, parseError + "invalid value for `offset`: null" + unsigned},
		{list, `{"dir_path":"/","offset":2.0}`, parseError + "invalid value for `offset`: 2.0" + unsigned},
		{list, `{"dir_path":"/","offset":1e3}`, parseError + "invalid value for `offset`: 1e3" + unsigned},
		{list, `{"dir_path":"/","offset":-1}`, parseError + "invalid value for `offset`: -1" + unsigned},
		{list, `{"dir_path":"/","offset":-0}`, parseError + "invalid value for `offset`: -0" + unsigned},
		{list, `{"dir_path":"/","limit":18446744073709551616}`, parseError + "invalid value for `limit`: 18446744073709551616" + unsigned},
		{list, `{"dir_path":"/","limit":"1"}`, parseError + "invalid value for `limit`: \"1\"" + unsigned},
		{list, `{"dir_path":"/","depth":true}`, parseError + "invalid value for `depth`: true" + unsigned},
		{list, `{"dir_path":"/","depth":[1]}`, parseError + "invalid value for `depth`: [1]" + unsigned},
		{list, `{"dir_path":"x","offset":0,"limit":0,"depth":0}`, "offset must be a 1-indexed entry number"},
		{list, `{"dir_path":"x","limit":0,"depth":0}`, "limit must be greater than zero"},
		{list, `{"dir_path":"x","limit":18446744073709551615,"depth":0}`, "limit must not be greater than 100"},
		{list, `{"dir_path":"x","depth":0}`, "depth must be greater than zero"},
		{list, `{"dir_path":"x","depth":10}`, "depth must not be greater than 9"},
		{list, `{"dir_path":"x"}`, "dir_path must be an absolute path"},
		{list, `{"dir_path":""}`, "dir_path must be an absolute path"},

		{read, `{}`, parseError + "missing field `file_path`"},
		{read, `{"file_path":"/","limit":1.5}`, parseError + "invalid value for `limit`: 1.5" + unsigned},
		{read, `{"file_path":"/","mode":null}`, parseError + "unknown variant for `mode`: null, expected `slice` or `indentation`"},
		{read, `{"file_path":"/","mode":"Slice"}`, parseError + "unknown variant for `mode`: \"Slice\", expected `slice` or `indentation`"},
		{read, `{"file_path":"/","mode":{"slice":null}}`, parseError + "unknown variant for `mode`: {\"slice\":null}, expected `slice` or `indentation`"},
		{read, `{"file_path":"/","indentation":5}`, parseError + "invalid type for `indentation`: number, expected an object"},
		{read, `{"file_path":"/","indentation":[]}`, parseError + "invalid type for `indentation`: array, expected an object"},
		{read, `{"file_path":"/","indentation":{"anchor_line":-1}}`, parseError + "invalid value for `anchor_line`: -1" + unsigned},
		{read, `{"file_path":"/","indentation":{"max_levels":null}}`, parseError + "invalid value for `max_levels`: null" + unsigned},
		{read, `{"file_path":"/","indentation":{"include_siblings":null}}`, parseError + "invalid type for `include_siblings`: null, expected a boolean"},
		{read, `{"file_path":"/","indentation":{"include_header":0}}`, parseError + "invalid type for `include_header`: number, expected a boolean"},
		{read, `{"file_path":"/","indentation":{"max_lines":1.0}}`, parseError + "invalid value for `max_lines`: 1.0" + unsigned},
		{read, `{"file_path":"/","indentation":{"anchor":1}}`, parseError + "unknown field `anchor`, expected one of `anchor_line`, `max_levels`, `include_siblings`, `include_header`, `max_lines`"},
		{read, `{"file_path":"x","offset":0,"limit":0}`, "offset must be a 1-indexed line number"},
		{read, `{"file_path":"x","limit":0}`, "limit must be greater than zero"},
		{read, `{"file_path":"x","limit":5001}`, "limit must not be greater than 5000"},
		{read, `{"file_path":"x","mode":"indentation","indentation":{"anchor_line":0}}`, "file_path must be an absolute path"},
		{read, `{"file_path":"/x","mode":"indentation","indentation":{"anchor_line":0,"max_lines":0}}`, "anchor_line must be a 1-indexed line number"},
		{read, `{"file_path":"/x","mode":"indentation","indentation":{"max_lines":0}}`, "max_lines must be greater than zero"},
	} {
		args := tt.args
		if runtime.GOOS == "windows" {
			args = strings.ReplaceAll(args, `"/x"`, `"C:/x"`)
		}
		_, err := call(t, tt.tool, args, 0)
		if err == nil || err.Kind != tool.BadArguments || err.Message != tt.message {
			t.Errorf("%s\ngot  %v\nwant %s", tt.args, err, tt.message)
		}
	}
}

// TestAcceptedArguments checks arguments that are accepted, so that the call fails only because the workspace is closed.
func TestAcceptedArguments(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	list, read := listDir(w), readFile(w)
	for _, tt := range []struct {
		tool tool.Tool
		args string
	}{
		{list, `{"dir_path":"ROOT","offset":18446744073709551615,"limit":18446744073709551615,"depth":9223372036854775808}`},
		{list, ` { "depth" : 1 , "dir_path" : "ROOT\u002f." } `},
		{read, `{"file_path":"ROOT","indentation":null,"mode":"indentation"}`},
		{read, `{"file_path":"ROOT","mode":"indentation","indentation":{"anchor_line":null,"max_lines":null,"max_levels":18446744073709551615}}`},
		{read, `{"file_path":"ROOT","mode":"slice","indentation":{"anchor_line":0,"max_lines":0}}`},
	} {
		args := strings.ReplaceAll(tt.args, "ROOT", filepath.ToSlash(root))
		if _, err := call(t, tt.tool, args, -1); err == nil || err.Kind != tool.Failed || !strings.HasSuffix(err.Message, "file already closed") {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestMessagesAreShort checks that what a message repeats of the arguments is short and on one line.
func TestMessagesAreShort(t *testing.T) {
	w := open(t, t.TempDir())
	long := strings.Repeat(`\n\u202e`+"\u202e", 5000)
	for _, tt := range []struct {
		tool tool.Tool
		args string
	}{
		{listDir(w), `{"dir_path":"/","` + long + `":1}`},
		{listDir(w), `{"dir_path":"/","offset":"` + long + `"}`},
		{listDir(w), `{"dir_path":"/` + long + `"}`},
		{readFile(w), `{"file_path":"/","mode":["` + long + `"]}`},
		{readFile(w), `{"file_path":"/","indentation":{"` + long + `":1}}`},
		{readFile(w), `{"file_path":"/` + long + `"}`},
	} {
		_, err := call(t, tt.tool, tt.args, -1)
		if err == nil || len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\n\u202e") {
			t.Errorf("%.40s: %v", tt.args, err)
		}
	}
}

// FuzzArguments checks that any arguments lead to an answer or to a short error that has a kind.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{``, `{}`, `{"dir_path":"/","offset":1}`, `{"file_path":"/","mode":"indentation","indentation":{"max_levels":0}}`} {
		f.Add(args)
	}
	w := open(f, f.TempDir())
	f.Fuzz(func(t *testing.T, args string) {
		for _, to := range []tool.Tool{listDir(w), readFile(w)} {
			if _, err := call(t, to, args, -1); err != nil && (err.Kind == "" || len(err.Error()) > 500) {
				t.Errorf("%q: %v", args, err)
			}
		}
	})
}
