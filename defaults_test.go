package gander_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/config"
)

// The example configuration states the defaults: loading it changes no setting.
func TestExampleStatesTheDefaults(t *testing.T) {
	c, err := config.Load(config.Sources{File: "gander.example.toml"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gander.Settings(gander.Options{}), gander.Settings(c.Options)); diff != "" {
		t.Errorf("settings (-default +example):\n%s", diff)
	}
	if got := c.Options.Limits.MaxCalls; got != 64 { // the registry fills in this default
		t.Errorf("max_calls is %d, not 64", got)
	}
}
