package ignore

import "fmt"

// A Verdict is the result of matching an entry.
type Verdict uint8

const (
	None    Verdict = iota // no rule matches
	Ignore                 // the entry, or a directory above it, is ignored
	Include                // a rule that begins with ! includes the entry
)

// A Match is a verdict and the deciding rule, the last that matches. The zero value means no rule.
type Match struct {
	Verdict Verdict
	file    *File
	line    int32 // counted from 1
}

// String returns the rule as source:line:pattern, as git check-ignore -v prints it, or "" if no
// rule decided. The pattern is as written, without the spaces at its end.
func (m Match) String() string {
	if m.file == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%s", m.file.source, m.line, m.file.line(m.line))
}
