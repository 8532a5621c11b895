package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander"
)

func TestVariablesAreDistinct(t *testing.T) {
	keys := map[string]string{"GANDER_CONFIG": "--config", "GANDER_ROOT": "--root", "GANDER_TOOLS": "--tools", "GANDER_TOKEN": "a token"}
	for _, key := range Keys() {
		name := Variable(key)
		if other, taken := keys[name]; taken {
			t.Errorf("%s sets both %s and %s", name, other, key)
		}
		keys[name] = key
	}
}

// resolve loads the sources and returns the options and the values of all keys.
func resolve(s Sources) (gander.Options, []Value, error) {
	c, err := Load(s)
	if err != nil {
		return gander.Options{}, nil, err
	}
	return c.Options, c.Values(), nil
}

// Every source can set every key, and overrides the sources below it.
func TestPrecedence(t *testing.T) {
	at := func(values []Value, key string) Value {
		for _, v := range values {
			if v.Key == key {
				return v
			}
		}
		t.Fatalf("no value of %s", key)
		return Value{}
	}
	_, defaults, err := resolve(Sources{})
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
		// Three values of the same type as the default, each different from the next.
		low, middle, high := "1", "2", "3"
		switch {
		case d.Value == Literal("true") || d.Value == Literal("false"):
			low, middle, high = "false", "true", "false"
		case d.Value == Literal("[]"):
			low, middle, high = `["a"]`, `["b","c"]`, `[]`
		case strings.HasPrefix(fmt.Sprint(d.Value), `"`):
			low, middle, high = `"1s"`, `"2s"`, `"3s"`
		}
		file := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(file, []byte("\n"+key+" = "+low), 0o600); err != nil {
			t.Fatal(err)
		}
		s := Sources{File: file}
		for _, want := range []Value{{key, Literal(low), File, file + ":2:1"}, {key, Literal(middle), Environment, Variable(key)}, {key, Literal(high), Flag, "--set " + key}} {
			switch want.Origin {
			case Environment:
				s.Environ = []string{"HOME=/", Variable(key) + "=9", Variable(key) + "=" + middle}
			case Flag:
				s.Set = []string{key + "=9", key + "=" + high}
				if low == "false" || low == `["a"]` || strings.HasPrefix(low, `"`) {
					s.Set = s.Set[1:]
				}
			}
			_, values, err := resolve(s)
			if err != nil {
				t.Fatalf("%s: %v", key, err)
			}
			if got := at(values, key); got != want {
				t.Errorf("%+v, not %+v", got, want)
			}
		}
	}
}

func TestFormsOfValues(t *testing.T) {
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
		{set: `sandbox.deny="a,b",'c'`, want: deny("a,b", "c")},
		{set: `sandbox.deny="a",b`, want: deny(`"a"`, "b")},
		{set: "sandbox.deny=a]\nb=[", want: deny("a]\nb=[")},
		{set: "sandbox.deny=true", want: deny("true")},
		{set: "sandbox.deny=[]", want: gander.Options{}},
		{set: "sandbox.deny=[1]", err: "--set sandbox.deny=[1]: sandbox.deny must be an array of strings, not this array"},
		{set: "sandbox.deny=[a", err: `--set sandbox.deny=[a: sandbox.deny must be an array of strings, not the string "[a"`},
		{set: "limits.max_calls=x\nlimits.timeout = 1", err: "--set limits.max_calls=x\nlimits.timeout = 1: limits.max_calls must be an integer from 1 to 65536, not the string \"x\\nlimits.timeout = 1\""},
		{set: "limits.max_calls=", err: `--set limits.max_calls=: limits.max_calls must be an integer from 1 to 65536, not the string ""`},
		{set: "limits=1", err: "--set limits=1: unknown key"},
		{set: "limits", err: "--set limits: give KEY=VALUE, as in limits.timeout=5s"},
	} {
		got, _, err := resolve(Sources{Set: []string{c.set}})
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
		_, values, err := resolve(Sources{Set: []string{set}})
		if err != nil {
			return
		}
		key, _, _ := strings.Cut(set, "=")
		for _, v := range values {
			if v.Key != key {
				continue
			}
			// The value as it is shown must set the same value.
			_, again, err := resolve(Sources{Set: []string{fmt.Sprintf("%s=%s", key, v.Value)}})
			if err != nil {
				t.Fatalf("%q is shown as %s: %v", set, v.Value, err)
			}
			for _, w := range again {
				if w.Key == key && w.Value != v.Value {
					t.Errorf("%q is shown as %s, which is shown as %s", set, v.Value, w.Value)
				}
			}
		}
	})
}

func TestMCP(t *testing.T) {
	for _, c := range []struct {
		sources Sources
		want    MCP
	}{
		{Sources{}, MCP{}},
		{Sources{Environ: []string{"GANDER_MCP_STRUCTURED=true"}, Set: []string{"mcp.resources=false"}}, MCP{Structured: true, NoResources: true}},
		{Sources{Environ: []string{"GANDER_MCP_CLIENT_ROOTS=true", "GANDER_MCP_RESOURCES=true"}}, MCP{ClientRoots: true}},
	} {
		if got, err := Load(c.sources); err != nil || got.MCP != c.want {
			t.Errorf("%+v: %+v, %v, want %+v", c.sources, got, err, c.want)
		}
	}
}
