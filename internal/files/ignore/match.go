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
	Source  string // the ignore file, as given to [Parse]
	Line    int    // counted from 1
	Pattern string // as written, without the spaces at its end
}

// String returns source:line:pattern, as git check-ignore -v prints it, or "" if no rule decided.
func (m Match) String() string {
	if m.Source == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%s", m.Source, m.Line, m.Pattern)
}
