package minimatch

import (
	"encoding/json"
	"os"
	"testing"
)

func TestDiff(t *testing.T) {
	b, _ := os.ReadFile("/tmp/mm.json")
	var l []struct {
		P string
		F []string
		R []any
	}
	if err := json.Unmarshal(b, &l); err != nil {
		t.Fatal(err)
	}
	bad := 0
	for _, c := range l {
		p, err := Compile(c.P)
		for i, f := range c.F {
			var got any
			if err != nil {
				got = err.Error()
			} else {
				got = p.Match(f)
			}
			if _, isErr := c.R[i].(string); isErr && err != nil {
				continue
			}
			if got != c.R[i] {
				bad++
				if bad < 40 {
					t.Errorf("%q %q got %v want %v", c.P, f, got, c.R[i])
				}
				break
			}
		}
	}
	t.Log(len(l), bad)
}
