//go:build unix

package gemini

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestParameters checks the order and the texts of errors in the parameters. The workspace is closed, so that a tool that
// looked at a file would fail differently.
func TestParameters(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	w, err := workspace.Open(workspace.Options{}, one, two)
	if err != nil {
		t.Fatal(err)
	}
	c := newCaller(t, w, verbatimSettings())
	outside := "Path must be within one of the workspace directories: " + strings.Join(w.Resolved(), ", ")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, message string }{
		{``, "params must have required property 'path'"},
		{`{"Path":"/","ignore":1}`, "params must have required property 'path'"},
		{`{"path":["/"],"ignore":1}`, "params/path must be string"},
		{`{"path":"x","ignore":{}}`, "params/ignore must be array"},
		{`{"path":"x","ignore":["a",null,1]}`, "params/ignore/1 must be string"},
		{`{"path":"x","ignore":[],"file_filtering_options":null}`, "params/file_filtering_options must be object"},
		{`{"path":"x","file_filtering_options":{"respect_gemini_ignore":"x","respect_git_ignore":0}}`, "params/file_filtering_options/respect_git_ignore must be boolean"},
		{`{"path":"x","file_filtering_options":{"respect_gemini_ignore":null}}`, "params/file_filtering_options/respect_gemini_ignore must be boolean"},
		{`{"path":"x","path":"x"}`, `params must be one JSON object: invalid JSON at byte 13: the key "path" is given twice; give it once`},
		{`{"path":"x","more":1}`, "Path must be absolute: x"},
		{`{"path":""}`, "Path must be absolute: "},
		{`{"path":"./a\nb"}`, "Path must be absolute: ./a\nb"},
		{`{"path":"` + strings.Repeat("漢", 5000) + `"}`, "Path must be absolute: " + strings.Repeat("漢", 1365)},
		{`{"path":"/"}`, outside},
		{`{"path":"/etc/passwd"}`, outside},
		{`{"path":"/no/such/place"}`, outside},
		{`{"path":"` + one + `x"}`, outside},
		{`{"path":"` + filepath.Dir(one) + `"}`, outside},
		{`{"path":"` + one + `/a\u0000\u202e"}`, "Path must not contain a NUL character: " + shortened(one+`/a\u0000\u202e`)},
	} {
		_, err := c.Call(tt.args, 0)
		if err == nil || err.Message != tt.message || err.Code != invalidToolParams || err.Display != "" {
			t.Errorf("%.100s\ngot  %+v\nwant %s", tt.args, err, tt.message)
		}
	}
	if _, err := c.Call(fmt.Sprintf(`{"path":%q}`, one), 0); err == nil || err.Code != lsExecutionError {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
}

// shortened returns a text as a message of our own repeats it.
func shortened(text string) string {
	if i := strings.Index(text, `\u0000`); i >= 60 {
		return text[:60] + "..."
	}
	return text
}

// TestRootGivenAgain: the text of an error names every directory of the workspace once.
func TestRootGivenAgain(t *testing.T) {
	top := fixture.Make(t, "a/", "b/", "toa => a")
	c := newCaller(t, tooltest.Workspace(t, nil, top+"/a", top+"/b", top+"/a", top+"/toa", top+"/b/"), verbatimSettings())
	_, err := c.Call(`{"path":"/"}`, -1)
	if want := "Path must be within one of the workspace directories: " + top + "/a, " + top + "/b"; err == nil || err.Message != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestErrors checks the texts of errors about the directory.
func TestErrors(t *testing.T) {
	root := fixture.Make(t, "file", "pipe|", "loop => loop", "broken => none", "tofile => file", "out => /etc", "gone => /no/such", "secret/x", "tosecret => secret")
	w := tooltest.Workspace(t, []string{"**/secret"}, root)
	c := newCaller(t, w, verbatimSettings())
	const failed = "Error listing directory: "
	outside := "Path must be within one of the workspace directories: " + root
	for path, want := range map[string][3]string{
		"/none":                        {failed + "ENOENT: no such file or directory, stat '<P>'", lsExecutionError, executionFailed},
		"/broken":                      {failed + "ENOENT: no such file or directory, stat '<P>'", lsExecutionError, executionFailed},
		"/none/..":                     {failed + "ENOENT: no such file or directory, stat '<P>'", lsExecutionError, executionFailed},
		"/file/x":                      {failed + "ENOTDIR: not a directory, stat '<P>'", lsExecutionError, executionFailed},
		"/loop":                        {failed + "ELOOP: too many symbolic links encountered, stat '<P>'", lsExecutionError, executionFailed},
		"/" + strings.Repeat("n", 300): {failed + "ENAMETOOLONG: name too long, stat '<P>'", lsExecutionError, executionFailed},
		"/secret":                      {failed + "EACCES: permission denied, scandir '<P>'", lsExecutionError, executionFailed},
		"/tosecret":                    {failed + "EACCES: permission denied, scandir '<P>'", lsExecutionError, executionFailed},
		"/file":                        {"Error: Path is not a directory: <P>", pathIsNotADirectory, "Error: Path is not a directory."},
		"/tofile":                      {"Error: Path is not a directory: <P>", pathIsNotADirectory, "Error: Path is not a directory."},
		"/pipe":                        {"Error: Path is not a directory: <P>", pathIsNotADirectory, "Error: Path is not a directory."},
		"/out":                         {outside, invalidToolParams, ""},
		"/out/none":                    {outside, invalidToolParams, ""},
		"/gone":                        {outside, invalidToolParams, ""},
	} {
		_, err := c.Call(arguments{"path": root + path}.json(t), -1)
		message := strings.ReplaceAll(want[0], "<P>", root+path)
		if err == nil || err.Message != message || err.Code != want[1] || err.Display != want[2] {
			t.Errorf("%s\ngot  %+v\nwant %s (%s, %s)", path, err, message, want[1], want[2])
		}
	}
	for _, tt := range []struct {
		options registry.Options
		message string
	}{
		{registry.Options{Policy: tool.Policy{Deny: []string{"gemini"}}}, failed + "the policy does not allow gemini/list_directory"},
		{registry.Options{Timeout: 1}, failed + "the call took longer than its time limit; ask for less, or raise the limit"},
	} {
		_, err := tooltest.NewCaller(t, New(w, verbatimSettings()), tt.options).Call(arguments{"path": root}.json(t), -1)
		if err == nil || err.Message != tt.message || err.Code != lsExecutionError || err.Display != executionFailed {
			t.Errorf("got %+v, want %s", err, tt.message)
		}
	}
}

// TestUnreadable checks directories without permissions, and entries that lie in one or lead into one.
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t, "locked/d/f", "locked/ 0000", "opaque/f", "opaque/d/", "opaque/ 0444", "through/d/f", "through/ 0111",
			"to_locked => locked", "into_locked => locked/d", "into_through => through/d", "z")
		c := over(t, root)
		if got, want := c.body(arguments{"path": root}), "[DIR] into_through\n[DIR] locked\n[DIR] opaque\n[DIR] through\n[DIR] to_locked\nz"; got != want {
			t.Errorf("root\ngot  %q\nwant %q", got, want)
		}
		if got := c.body(arguments{"path": root + "/opaque"}); got != "" {
			t.Errorf("entries that cannot be inspected are shown: %q", got)
		}
		for path, call := range map[string]string{"/locked": "scandir", "/through": "scandir", "/to_locked": "scandir", "/locked/d": "stat", "/into_locked": "stat", "/opaque/d": "stat"} {
			want := fmt.Sprintf("Error listing directory: EACCES: permission denied, %s '%s'", call, root+path)
			if _, err := c.Call(arguments{"path": root + path}.json(t), -1); err == nil || err.Message != want {
				t.Errorf("%s\ngot  %v\nwant %s", path, err, want)
			}
		}
	})
}

// FuzzParameters checks that any parameters lead to a listing or to an error with a code.
func FuzzParameters(f *testing.F) {
	for _, args := range []string{``, `{}`, `{"path":"/"}`, `{"path":"/","ignore":["*"],"file_filtering_options":{}}`} {
		f.Add(args)
	}
	w := tooltest.Workspace(f, nil, f.TempDir())
	f.Fuzz(func(t *testing.T, args string) {
		if _, err := newCaller(t, w, verbatimSettings()).Call(args, -1); err != nil && (err.Code == "" || len(err.Message) > 4500) {
			t.Errorf("%q: %s: %s", args, err.Code, err.Message)
		}
	})
}
