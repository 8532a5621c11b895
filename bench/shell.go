//go:build linux

package main

import "fmt"

// A shellLine is a line that an agent writes, and the maximum time relative to bash.
type shellLine struct {
	name, line string
	ratio      float64
}

func shellLines() []shellLine {
	return []shellLine{
		{"rg", "rg -n 'func Test' | head -20", 0.5},
		{"rg-count", "rg -c TODO | wc -l", 1},
		{"grep", "grep -rn Mutex . | wc -l", 1},
		{"grep-kinds", "grep -rniE 'mutex|waitgroup' --include='*.go' . | head -50", 1},
		{"xargs", "find . -name '*.go' | xargs grep -l WaitGroup | head", 0.5},
		{"find", "find . -maxdepth 2 -name '*_test.go' -not -path './cmd/*' | sort | head -40", 0.5},
		{"sed", "sed -n '200,240p' net/http/server.go", 1},
		{"numbers", "nl -ba net/http/server.go | sed -n '200,240p'", 0.5},
		{"count", "cat net/http/*.go | grep -o 'http[A-Z][a-z]*' | sort | uniq -c | sort -rn | head", 0.5},
		{"awk", "wc -l net/http/*.go | awk '$1 > 500 {print $2, $1; n += $1} END {print n}'", 0.5},
		{"ls", "ls -la net/http", 1},
		{"loop", `for f in net/*.go; do echo "$f $(wc -l < "$f")"; done | sort -k2 -n | tail -5`, 0.5},
	}
}

// shellRows run lines on Go's source, with bash and its programs, and as calls of a running server.
func (b *bench) shellRows() []row {
	var rows []row
	for _, l := range shellLines() {
		c := call{"bash", args{"command": l.line}}
		rows = append(rows, row{"shell-" + l.name, fmt.Sprintf("`%s`", l.line), []program{
			command("bash -c", "bash", "-c", `cd "$1" && eval "$2"`, "bash", b.source, l.line),
			{"**gander bash**", goal{ratio: l.ratio, peak: searchMemory}, b.searchText(c).call},
		}})
	}
	return rows
}
