package format

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// TestPrintf compares random conversions with the printf of bash, which is that of C.
func TestPrintf(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	random := rand.New(rand.NewPCG(1, 2))
	var script, want strings.Builder
	for range 3000 {
		flags := ""
		for _, flag := range "-+ 0#" {
			if random.IntN(4) == 0 {
				flags += string(flag)
			}
		}
		conversion := flags + fmt.Sprint(random.IntN(12))
		if random.IntN(2) == 0 {
			conversion += "." + fmt.Sprint(random.IntN(9))
		}
		n := int64(random.IntN(2000000)-1000000) >> random.IntN(20)
		letter := string("dioxXuegfEGF"[random.IntN(12)])
		v, rest := Parse(conversion+letter, nil)
		if rest != "" {
			t.Fatalf("%q: rest %q", conversion, rest)
		}
		fmt.Fprintf(&script, "LC_ALL=C.UTF-8 printf '[%%%s]\\n' ", conversion+letter)
		if strings.Contains("eEfFgG", letter) {
			f := float64(n) / math.Pow(2, float64(random.IntN(30)))
			fmt.Fprintf(&script, "%.40g\n", f)
			fmt.Fprintf(&want, "[%s]\n", v.Float(f))
			continue
		}
		if !strings.Contains("di", letter) {
			n = max(n, -n)
		}
		fmt.Fprintf(&script, "%d\n", n)
		fmt.Fprintf(&want, "[%s]\n", v.Integer(n < 0, uint64(max(n, -n))))
	}
	command := exec.Command(bash)
	command.Stdin = strings.NewReader(script.String())
	got, err := command.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	scripts := strings.Split(script.String(), "\n")
	wants := strings.Split(want.String(), "\n")
	for i, line := range strings.Split(string(got), "\n") {
		if line != wants[i] {
			t.Errorf("%s: %s, bash: %s", scripts[i], wants[i], line)
		}
	}
}
