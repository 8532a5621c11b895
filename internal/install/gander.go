package install

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// isSame reports whether two values are the same JSON.
func isSame(a, b any) bool { return reflect.DeepEqual(normal(a), normal(b)) }

func normal(value any) (normal any) {
	_ = json.Unmarshal(encode(value), &normal)
	return normal
}

// isGander reports whether a value is an entry that starts gander as a server, whatever its client
// or its user has added, or a profile of gander, which has no command.
func isGander(found any) bool {
	members, ok := normal(found).(map[string]any)
	if !ok {
		return false
	}
	if members["name"] == "gander" && members["command"] == nil && members["url"] == nil {
		return true
	}
	var line []string
	for _, key := range []string{"command", "args"} {
		switch value := members[key].(type) {
		case string:
			line = append(line, value)
		case []any:
			for _, word := range value {
				line = append(line, fmt.Sprint(word))
			}
		}
	}
	return startsGander(line)
}

// npmPackage matches the npm package of gander, of any owner, and perhaps a version.
var npmPackage = regexp.MustCompile(`^(@[^/]+/)?gander(@[^/]+)?$`)

// startsGander reports whether a command line is the program, or npx with its package, as a server.
func startsGander(line []string) bool {
	switch slices.Index(line, "mcp") {
	case 1:
		program := line[0][strings.LastIndexAny(line[0], `/\`)+1:]
		return strings.TrimSuffix(program, ".exe") == "gander"
	case 3:
		isNpx := line[0] == "npx" && line[1] == "-y"
		return isNpx && npmPackage.MatchString(line[2])
	}
	return false
}
