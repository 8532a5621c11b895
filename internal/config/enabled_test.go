package config

import "testing"

func TestEnabled(t *testing.T) {
	_, values, err := Resolve(Layers{Environ: []string{"GANDER_MCP_STRUCTURED=true"}, Set: []string{"mcp.resources=false"}})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"mcp.structured": true, "mcp.resources": false, "mcp.client_roots": false, "none": false} {
		if Enabled(values, key) != want {
			t.Errorf("%s is not %v", key, want)
		}
	}
	if _, values, err = Resolve(Layers{}); err != nil || !Enabled(values, "mcp.resources") || Enabled(values, "mcp.structured") {
		t.Errorf("the defaults: %v, %v", values, err)
	}
}
