package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

// TestOnlyListedToolsCanBeCalled calls every tool by its ID and both names, over both transports. A
// call reaches a tool if and only if the server lists it under that name.
func TestOnlyListedToolsCanBeCalled(t *testing.T) {
	var everything []tool.Spec
	var selectors []string
	for _, s := range testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}}).Tools() {
		everything = append(everything, s)
		set, _, _ := strings.Cut(s.ID, "/")
		if !slices.Contains(selectors, set) {
			selectors = append(selectors, set)
		}
		selectors = append(selectors, s.ID)
	}
	for _, selector := range append(selectors, "all") {
		called := ""
		record := func(s tool.Spec, _ tool.Handler) tool.Handler {
			return func(context.Context, tool.Call) (tool.Result, error) {
				called = s.ID
				return tool.Result{Parts: tool.Text("called")}, nil
			}
		}
		ts := testkit.Open(t, gander.Options{
			Roots: []string{t.TempDir()}, Tools: []string{selector},
			Middleware: []tool.Middleware{record},
		})
		listed := make(map[string]string) // IDs by name
		for _, s := range ts.Tools() {
			listed[s.Name] = s.ID
		}
		check := func(p peer) {
			for _, s := range everything {
				set, name, _ := strings.Cut(s.ID, "/")
				for _, given := range []string{s.ID, name, set + "_" + name} {
					called = ""
					request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
						`"params":{%s,"name":%q,"arguments":{}}}`, modernMeta, given)
					got := p.send(t, []string{request}, 1)
					if called != listed[given] || len(got) != 1 {
						t.Errorf("%s: %s calls %q: %s", selector, given, called, got)
					}
				}
			}
		}
		overStdio(t, New(ts, nil), "", check)
		check(overHTTP(Handler(New(ts, nil), nil), modern))
	}
}
