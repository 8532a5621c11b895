package toolset

import (
	"fmt"
	"math"
)

// An OptionError reports an option that is out of its range, which can depend on other options.
type OptionError struct {
	// Option is the name of the field, such as "ToolkitTree.MaxEntries".
	Option string
	// Value must be from Min to Max. Max is [math.MaxInt] if there is no upper bound.
	Value, Min, Max int
	// MaxOption is the name of the field that sets Max, if any.
	MaxOption string
}

// Error names the option, its value and its range.
func (e *OptionError) Error() string {
	if e.Max == math.MaxInt {
		return fmt.Sprintf("%s is %d; it must be at least %d", e.Option, e.Value, e.Min)
	}
	text := fmt.Sprintf("%s is %d; it must be from %d to %d", e.Option, e.Value, e.Min, e.Max)
	if e.MaxOption != "" {
		text += ", the value of " + e.MaxOption
	}
	return text
}

// DefaultTools returns the ids of the tools that are visible unless others are selected.
func DefaultTools() []string {
	return []string{"gander/list_dir", "gander/read_file", "gander/find_files", "gander/search_text"}
}
