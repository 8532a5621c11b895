package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander"
)

// The program prints the example that stands at the top of the repository.
func TestExampleIsTheOneAtTheTop(t *testing.T) {
	data, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), Example()); diff != "" {
		t.Errorf("example.toml is not gander.example.toml (-top +here); copy it:\n%s", diff)
	}
}

func TestVariablesAreDistinct(t *testing.T) {
	keys := map[string]string{"GANDER_CONFIG": "--config", "GANDER_ROOT": "--root", "GANDER_TOOLS": "--tools", "GANDER_TOKEN": "a token"}
	for _, key := range Keys() {
		name := Variable(key)
		if other, taken := keys[name]; taken {
			t.Errorf("%s stands for %s and for %s", name, other, key)
		}
		keys[name] = key
	}
}

// Every key can be set in every layer, and each layer goes before the one below it.
func TestLayers(t *testing.T) {
	at := func(values []Value, key string) Value {
		for _, v := range values {
			if v.Key == key {
				return v
			}
		}
		t.Fatalf("no value of %s", key)
		return Value{}
	}
	_, defaults, err := Resolve(Layers{})
	if err != nil {
		t.Fatal(err)
	}
	if len(defaults) != len(Keys()) {
		t.Errorf("%d values of %d keys", len(defaults), len(Keys()))
	}
	for _, key := range Keys() {
		d := at(defaults, key)
		if d.Origin != Default || d.Where != "" {
			t.Errorf("%s: %+v", key, d)
		}
		// Three values that differ from each other, of the kind that the default is of.
		low, middle, high := "1", "2", "3"
		switch {
		case d.Value == "true" || d.Value == "false":
			low, middle, high = "false", "true", "false"
		case d.Value == "[]":
			low, middle, high = `["a"]`, `["b","c"]`, `[]`
		case strings.HasPrefix(d.Value, `"`):
			low, middle, high = `"1s"`, `"2s"`, `"3s"`
		}
		file := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(file, []byte("\n"+key+" = "+low), 0o600); err != nil {
			t.Fatal(err)
		}
		l := Layers{File: file}
		for _, want := range []Value{{key, low, File, file + ":2:1"}, {key, middle, Environment, Variable(key)}, {key, high, Flag, "--set " + key}} {
			switch want.Origin {
			case Environment:
				l.Environ = []string{"HOME=/", Variable(key) + "=9", Variable(key) + "=" + middle}
			case Flag:
				l.Set = []string{key + "=9", key + "=" + high}
				if low == "false" || low == `["a"]` || strings.HasPrefix(low, `"`) {
					l.Set = l.Set[1:]
				}
			}
			_, values, err := Resolve(l)
			if err != nil {
				t.Fatalf("%s: %v", key, err)
			}
			if got := at(values, key); got != want {
				t.Errorf("%+v, not %+v", got, want)
			}
		}
	}
}

func TestResolveFormsOfValues(t *testing.T) {
	timeout := func(d time.Duration) gander.Options { return gander.Options{Limits: gander.Limits{Timeout: d}} }
	deny := func(words ...string) gander.Options { return gander.Options{Sandbox: gander.Sandbox{Deny: words}} }
	for _, c := range []struct {
		set  string
		want gander.Options
		err  string
	}{
		{set: "limits.timeout=5s", want: timeout(5 * time.Second)},
		{set: `limits.timeout="5s"`, want: timeout(5 * time.Second)},
		{set: "limits.timeout='5s'", want: timeout(5 * time.Second)},
		{set: "limits.timeout=0", want: timeout(-1)},
		{set: "sandbox.deny=a", want: deny("a")},
		{set: "sandbox.deny=a, b ,c", want: deny("a", "b", "c")},
		{set: `sandbox.deny=["a,b"]`, want: deny("a,b")},
		{set: "sandbox.deny=true", want: deny("true")},
		{set: "sandbox.deny=[]", want: gander.Options{}},
		{set: "sandbox.deny=[1]", err: "--set sandbox.deny=[1]: sandbox.deny must be an array of strings, not this array"},
		{set: "sandbox.deny=[a", err: `--set sandbox.deny=[a: sandbox.deny must be an array of strings, not the string "[a"`},
		{set: "limits.max_calls=x\nlimits.timeout = 1", err: "--set limits.max_calls=x\nlimits.timeout = 1: limits.max_calls must be an integer from 1 to 65536, not the string \"x\\nlimits.timeout = 1\""},
		{set: "limits.max_calls=", err: `--set limits.max_calls=: limits.max_calls must be an integer from 1 to 65536, not the string ""`},
		{set: "limits=1", err: "--set limits=1: unknown key"},
		{set: "limits", err: "--set limits: give KEY=VALUE, as in limits.timeout=5s"},
	} {
		got, _, err := Resolve(Layers{Set: []string{c.set}})
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s: %v, not %s", c.set, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.set, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.set, diff)
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, seed := range []string{"limits.timeout=5s", "sandbox.deny=a,b", "sandbox.deny=[", "=", "tools.tree.exclude=[\"a\"]\nb=1", "limits.max_calls=0x10"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, set string) {
		_, values, err := Resolve(Layers{Set: []string{set}})
		if err != nil {
			return
		}
		key, _, _ := strings.Cut(set, "=")
		for _, v := range values {
			if v.Key != key {
				continue
			}
			// What is shown says the same again.
			_, again, err := Resolve(Layers{Set: []string{key + "=" + v.Value}})
			if err != nil {
				t.Fatalf("%q is shown as %s: %v", set, v.Value, err)
			}
			for _, w := range again {
				if w.Key == key && w.Value != v.Value {
					t.Errorf("%q is shown as %s, and that as %s", set, v.Value, w.Value)
				}
			}
		}
	})
}
