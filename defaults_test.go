package gander_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gander"
	"gander/documents"
	"gander/internal/config"
	"gander/internal/testkit"
	"gander/tool"
)

// TestExampleStatesTheDefaults checks that the example configuration contains the defaults.
func TestExampleStatesTheDefaults(t *testing.T) {
	file, err := config.Load("internal/config/example.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := file.Options
	if diff := cmp.Diff(gander.Settings(gander.Options{}), gander.Settings(o)); diff != "" {
		t.Errorf("settings (-default +example):\n%s", diff)
	}
	if got := o.Limits.MaxConcurrentCalls; got != 64 { // the default is set in package admission
		t.Errorf("max_calls is %d, not 64", got)
	}
	everything := cmp.Exporter(func(reflect.Type) bool { return true })
	isFunc := func(p cmp.Path) bool { return p.Last().Type().Kind() == reflect.Func }
	if len(o.Documents) != len(documents.All()) {
		t.Errorf("%d formats of documents are read, not all", len(o.Documents))
	}
	o.Documents = nil
	want, got := built(gander.Options{Sets: testkit.Sets()}), built(o)
	diff := cmp.Diff(want, got, everything, cmp.FilterPath(isFunc, cmp.Ignore()),
		cmpopts.EquateEmpty())
	if diff != "" {
		t.Errorf("tools (-default +example):\n%s", diff)
	}
}

// built returns the tools of every set, which contain their options, without a workspace.
func built(o gander.Options) map[string][]tool.Tool {
	all := make(map[string][]tool.Tool)
	for _, set := range gander.SetsOf(o) {
		d := set.Definition()
		all[d.Name] = d.Build(nil)
	}
	return all
}
