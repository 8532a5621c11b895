package config

import "testing"

func TestMCP(t *testing.T) {
	for _, c := range []struct {
		layers Layers
		want   MCP
	}{
		{Layers{}, MCP{}},
		{Layers{Environ: []string{"GANDER_MCP_STRUCTURED=true"}, Set: []string{"mcp.resources=false"}}, MCP{Structured: true, NoResources: true}},
		{Layers{Environ: []string{"GANDER_MCP_CLIENT_ROOTS=true", "GANDER_MCP_RESOURCES=true"}}, MCP{ClientRoots: true}},
	} {
		if _, got, err := Options(c.layers); err != nil || got != c.want {
			t.Errorf("%+v: %+v, %v, want %+v", c.layers, got, err, c.want)
		}
	}
	// What the example says is what holds without it.
	r := newResolver()
	if err := r.file("example", []byte(Example())); err != nil || r.mcp != (MCP{}) {
		t.Errorf("the example: %+v, %v", r.mcp, err)
	}
}
