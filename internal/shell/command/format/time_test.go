package format

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestTime compares with GNU date.
func TestTime(t *testing.T) {
	version, err := exec.Command("date", "--version").Output()
	if err != nil || !strings.Contains(string(version), "GNU") {
		t.Skip("GNU date is missing")
	}
	r := rand.New(rand.NewPCG(1, 2))
	const letters = "aAbBhcdDeFHIjmMNnpRsStTxXyYzZ%"
	for range 100 {
		at := time.Unix(r.Int64N(4e9), r.Int64N(1e9)).UTC()
		layout := "."
		for range 30 {
			letter := letters[r.IntN(len(letters))]
			flag := ""
			if strings.IndexByte("deHIjmMSyY", letter) >= 0 && r.IntN(3) == 0 {
				flag = "-"
			}
			layout += "%" + flag + string(letter) + " "
		}
		seconds := fmt.Sprintf("@%d.%09d", at.Unix(), at.Nanosecond())
		cmd := exec.Command("date", "-u", "-d", seconds, "+"+layout)
		cmd.Env = []string{"LC_ALL=C.UTF-8"}
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := Time(layout, at) + "\n"; got != string(want) {
			t.Errorf("%s of %v:\n got %q\nwant %q", layout, at, got, want)
		}
	}
}
