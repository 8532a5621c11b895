package tooltest

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"gander/internal/testkit/fixture"
)

// A Reference has the arguments of a call and a reference implementation of the tool.
type Reference interface {
	// Text returns the text of the result, which has at most limit bytes unless limit is negative,
	// or "error: " with the code.
	Text(t testing.TB, root string, limit int) string
}

// CheckReference compares a call with its reference.
func (c Caller) CheckReference(root string, r Reference, limit int) {
	c.T.Helper()
	args, err := json.Marshal(r)
	fixture.Must(c.T, err)
	result, failure := c.Call(string(args), limit)
	got := result.Text()
	if failure != nil {
		got = "error: " + failure.Code
	}
	if want := r.Text(c.T, root, limit); got != want {
		c.T.Fatalf("%s within %d\ngot\n%s\nwant\n%s", args, limit, got, want)
	}
}

// CheckEveryLimit compares calls with their references under every limit.
func (c Caller) CheckEveryLimit(root string, calls ...Reference) {
	c.T.Helper()
	for _, r := range calls {
		for limit := range len(r.Text(c.T, root, -1)) + 2 {
			c.CheckReference(root, r, limit)
		}
	}
}

// CheckTrees compares random calls in random trees, to which entries are added, with references.
func CheckTrees(
	t testing.TB, over func(testing.TB, string) Caller, random func(*rand.Rand) Reference,
	entries ...string,
) {
	t.Helper()
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		tree := append(fixture.Random(r, 1+r.IntN(90), 1+r.IntN(5)), entries...)
		root := fixture.Make(t, tree...)
		c := over(t, root)
		for range 30 {
			c.CheckReference(root, random(r), r.IntN(12000)-3000)
		}
	}
}
