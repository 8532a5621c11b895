package text

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
)

// machine is how Node.js decodes UTF-8, as it was asked: a line for each state, the first being the start. Each says
// what runs of bytes lead to: another state, the end of a character (C), or the end of an ill-formed part (X), which is
// before the byte unless it is the first.
//
//go:embed testdata/utf8.txt
var machine string

// askedOfNode prints the machine.
const askedOfNode = `
	const row = prefix => Array.from({length: 256}, (_, b) => {
		const decoder = new TextDecoder("utf-8", {ignoreBOM: true});
		const out = decoder.decode(Uint8Array.from([...prefix, b]), {stream: true});
		const whole = out + decoder.decode();
		if (out === "") return "I";
		return [...whole].length === 1 && (prefix.length > 0 || whole !== "\ufffd") ? "C" : "X";
	});
	const numbers = new Map();
	const state = prefix => {
		const next = row(prefix).map((what, b) => what === "I" ? state([...prefix, b]) : what).join(" ");
		if (!numbers.has(next)) numbers.set(next, numbers.size);
		return numbers.get(next);
	};
	state([]);
	const lines = [...numbers].map(([row, number]) => {
		const next = row.split(" "), runs = [];
		for (let b = 0, from = 0; b < 256; b++) {
			if (next[b + 1] !== next[from]) { runs.push([from, b, next[from]].join(":")); from = b + 1; }
		}
		return number + " " + runs.join(" ");
	});
	console.log(JSON.stringify(lines.reverse().join("\n") + "\n"));`

func TestLossyTableIsNodes(t *testing.T) {
	var want string
	askNode(t, askedOfNode, nil, &want)
	if machine != want {
		t.Errorf("testdata/utf8.txt is\n%sand Node.js says\n%s", machine, want)
	}
}

// states are the machine's: what each byte leads to.
func states(t testing.TB) (start string, next map[string][256]string) {
	t.Helper()
	next = map[string][256]string{}
	for line := range strings.Lines(machine) {
		fields := strings.Fields(line)
		if start == "" {
			start = fields[0]
		}
		var row [256]string
		for _, run := range fields[1:] {
			var from, to int
			var what string
			if _, err := fmt.Sscanf(strings.ReplaceAll(run, ":", " "), "%d %d %s", &from, &to, &what); err != nil {
				t.Fatalf("%q: %v", run, err)
			}
			for b := from; b <= to; b++ {
				row[b] = what
			}
		}
		next[fields[0]] = row
	}
	return start, next
}

// lossyByTable decodes as the machine does.
func lossyByTable(start string, next map[string][256]string, b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		at, size := start, 0
		for size < len(b) && at != "C" && at != "X" {
			at = next[at][b[size]]
			size++
		}
		switch {
		case at == "C":
			out.Write(b[:size])
		case at == "X" && size > 1:
			size--
			fallthrough
		default:
			out.WriteString("\ufffd")
		}
		b = b[size:]
	}
	return out.String()
}

// TestLossyAsTable: every beginning of three bytes, and every edge as a fourth.
func TestLossyAsTable(t *testing.T) {
	start, next := states(t)
	var edges []byte
	for b := range 256 {
		for _, row := range next {
			if b == 0 || row[b] != row[b-1] {
				edges = append(edges, byte(b))
				break
			}
		}
	}
	if len(next) != 8 || len(edges) < 10 {
		t.Fatalf("%d states and %d edges: that is not UTF-8", len(next), len(edges))
	}
	name := make([]byte, 4)
	for first := range 256 {
		for _, second := range edges {
			for _, third := range edges {
				for _, fourth := range edges {
					copy(name, []byte{byte(first), second, third, fourth})
					if got, want := Lossy(name), lossyByTable(start, next, name); got != want {
						t.Fatalf("%q: got %+q, want %+q", name, got, want)
					}
				}
			}
		}
	}
}

func FuzzLossyAsTable(f *testing.F) {
	for _, seed := range []string{"", "name", "日本", "\xff", "\xe2\x82", "\xf0\x9f\x98x", "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf", "\xf4\x90\x80\x80\xc0\xaf"} {
		f.Add([]byte(seed))
	}
	start, next := states(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := Lossy(b), lossyByTable(start, next, b); got != want {
			t.Errorf("Lossy(%q) = %+q, want %+q", b, got, want)
		}
	})
}
