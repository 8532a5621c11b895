package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

const (
	maxScript  = 16 << 10 // bytes
	maxOpeners = 1000     // of each kind in a script
)

// parse parses a script. Its limits bound the stack of the parser, which calls itself for whatever
// nests.
func parse(script string) (*syntax.File, error) {
	if len(script) > maxScript {
		return nil, command.Refuse("the command has %d bytes; use at most %d", len(script), maxScript)
	}
	if strings.Contains(script, "\r") { // the parser drops some
		return nil, command.Refuse("the script has carriage returns; remove them, or write $'\\r'")
	}
	if strings.Contains(script, "$\\\n") {
		return nil, command.Refuse("the script has a $ at the end of a line; remove its line feed")
	}
	if err := checkOpeners(script); err != nil {
		return nil, err
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	file, err := parser.Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, command.Refuse("syntax error at line %v; quote the characters that have a meaning", err)
	}
	return file, nil
}

// checkOpeners returns an error if text can nest too deeply for the parser.
func checkOpeners(text string) error {
	for _, opener := range []string{"(", "{", "`", "[["} {
		if strings.Count(text, opener) > maxOpeners {
			return command.Refuse("the command has more than %d %q; use fewer", maxOpeners, opener)
		}
	}
	return nil
}
