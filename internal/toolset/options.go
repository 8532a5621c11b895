package toolset

import (
	"fmt"
	"math"
)

// An OptionError reports an option that is out of range. The range can depend on another option.
type OptionError struct {
	// Option is the name of the field, such as "ToolkitTree.MaxEntries".
	Option string
	// Value is not between Min and Max. A Max of [math.MaxInt] means no upper bound.
	Value, Min, Max int
	// MaxOption is the name of the field that determines Max, if any.
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

// DefaultTools returns the IDs of the tools that are visible by default.
func DefaultTools() []string {
	return []string{"gander/list_dir", "gander/read_file", "gander/find_files", "gander/search_text"}
}
