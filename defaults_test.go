package gander_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/config"
)

// TestExampleStatesTheDefaults checks that the example configuration contains the defaults.
func TestExampleStatesTheDefaults(t *testing.T) {
	file := config.Load("internal/config/example.toml", nil)
	if len(file.Problems) > 0 {
		t.Fatal(file.Problems)
	}
	o := file.Options
	if diff := cmp.Diff(gander.Settings(gander.Options{}), gander.Settings(o)); diff != "" {
		t.Errorf("settings (-default +example):\n%s", diff)
	}
	if got := o.Limits.MaxConcurrentCalls; got != 64 { // the default is set in package admission
		t.Errorf("max_calls is %d, not 64", got)
	}
}
