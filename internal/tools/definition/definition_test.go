package definition

import (
	"strings"
	"testing"
)

// TestDecode checks that a definition is found by the name of its tool, with the name in its
// messages, and that mistakes in embedded definitions are noticed.
func TestDecode(t *testing.T) {
	const data = `{"messages": {"prefix": "{tool}: ", "json": "no JSON"}, "mcp": {"server": "s"},
		"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "annotations": {}}]}`
	all := Decode("set", []byte(data))
	a, b := all.Tool("a"), all.Tool("b")
	spec := a.Spec()
	if spec.ID != "set/a" || string(spec.Input) != `{"type":"object"}` || a.Published.MCP != nil {
		t.Errorf("a: got %+v", a.Published)
	}
	if b.Published.MCP == nil || b.Published.MCP.Server != "s" {
		t.Errorf("b: got %+v", b.Published)
	}
	if err := b.Arguments([]byte("[]")).Err(); err == nil || err.Error() != "b: no JSON" {
		t.Errorf("the error is %v", err)
	}
	for problem, decode := range map[string]func(){
		"the name c":               func() { all.Tool("c") },
		"the embedded definitions": func() { Decode("set", []byte("{")) },
		`unknown field "mising"`:   func() { Decode("set", []byte(`{"messages":{"mising":"x"}}`)) },
	} {
		checkPanic(t, problem, decode)
	}
}

// checkPanic checks that f panics with a message about a problem.
func checkPanic(t *testing.T, problem string, f func()) {
	t.Helper()
	defer func() {
		message, _ := recover().(string)
		if !strings.Contains(message, problem) {
			t.Errorf("the panic is %q, want one about %s", message, problem)
		}
	}()
	f()
}
