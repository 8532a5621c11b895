//go:build unix

package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gander/tool"
)

// Record returns data, a file of vectors, with the content or message that each case gets now in place of the expected one. It
// leaves everything else as it is. A case that now fails, or no longer does, is an error of the test: it is to be changed by hand.
func Record(t *testing.T, open Opener, data []byte) []byte {
	f, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	built := fixtures{t: t, items: f.Fixtures, roots: make(map[string]string)}
	for _, c := range f.Cases {
		root, err := built.root(c.Fixture)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.Replace(data, c.text, c.record(t, open, root), 1)
	}
	return data
}

// record returns the text of the case with what it gets now.
func (c Case) record(t *testing.T, open Opener, root string) []byte {
	at, err := c.at(root)
	if err != nil {
		t.Fatal(err)
	}
	result, err := openFor(t, open, at.options(c.Tool, root), at.Config).Call(t.Context(), c.Tool, tool.Call{Args: at.Args, Budget: at.budget()})
	key, got := "content", result.Text()
	if failure, ok := errors.AsType[*tool.Error](err); ok {
		key, got = "message", failure.Message
	}
	var written struct{ Expect map[string]json.RawMessage }
	if err := json.Unmarshal(c.text, &written); err != nil {
		t.Fatal(err)
	}
	old := written.Expect[key]
	if old == nil {
		t.Errorf("%s: no %s is expected, but there is: %s", c.Name, key, got)
		return c.text
	}
	if at.Expect.check(result, err) == nil {
		return c.text
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	if err := e.Encode(strings.ReplaceAll(got, root, "${ROOT}")); err != nil {
		t.Fatal(err)
	}
	expect := bytes.LastIndex(c.text, []byte(`"expect":`))
	return append(bytes.Clone(c.text[:expect]), bytes.Replace(c.text[expect:], old, bytes.TrimSpace(quoted.Bytes()), 1)...)
}
