package native

import (
	"fmt"
	"strconv"
	"strings"
)

const includeIgnored = "include them with ignored=true"

// stringArgument returns an argument as results spell it.
func stringArgument(name, value string) string { return name + `="` + value + `"` }

func intArgument(name string, value int) string { return name + "=" + strconv.Itoa(value) }

// continueAt returns how to continue the section about a path: with the offset, and with the path
// if the call has several.
func (c *call) continueAt(shown string, offset int) string {
	next := intArgument("offset", offset)
	if c.pathCount > 1 {
		next = stringArgument("path", shown) + " " + next
	}
	return "continue with " + next
}

// columnArgument returns the argument for a line from a column on.
func columnArgument(shown string, line, column int) string {
	return stringArgument("path", fmt.Sprintf("%s:%d:%d", shown, line, column))
}

// didYouMean returns the clause of an error that suggests names.
func didYouMean(names []string) string {
	last := len(names) - 1
	choice := names[last]
	if last > 0 {
		choice = strings.Join(names[:last], ", ") + " or " + choice
	}
	return "; did you mean " + choice + "?"
}
