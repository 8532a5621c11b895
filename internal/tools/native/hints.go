package native

import (
	"strconv"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/layout"
)

// Names of arguments that hints name.
const (
	pathArgument    = "path"
	offsetArgument  = "offset"
	limitArgument   = "limit"
	contextArgument = "context"
)

func stringArgument(name, value string) layout.Argument {
	return layout.Argument{Name: name, Value: value, IsString: true}
}

func intArgument(name string, value int) layout.Argument {
	return layout.Argument{Name: name, Value: strconv.Itoa(value)}
}

func trueArgument(name string) layout.Argument {
	return layout.Argument{Name: name, Value: "true"}
}

// hint returns the spelling of a call of a tool, or of the current call with other arguments if
// tool is "".
func (c *call) hint(tool string, arguments ...layout.Argument) string {
	if c.layout.Hint != nil {
		return c.layout.Hint(tool, arguments)
	}
	var words []string
	if tool != "" {
		words = append(words, tool)
	}
	for _, a := range arguments {
		value := a.Value
		if a.IsString {
			value = `"` + value + `"`
		}
		words = append(words, a.Name+"="+value)
	}
	return strings.Join(words, " ")
}

// next returns the hint to continue the section about a place with these arguments.
func (c *call) next(place workspace.Location, arguments ...layout.Argument) string {
	if c.several > 0 {
		path := stringArgument(pathArgument, c.show(place))
		arguments = append([]layout.Argument{path}, arguments...)
	}
	return c.hint("", arguments...)
}
