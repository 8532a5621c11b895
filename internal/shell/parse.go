package shell

import (
	"errors"
	"fmt"
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
	for _, opener := range []string{"(", "{", "`", "[["} {
		if strings.Count(script, opener) > maxOpeners {
			return nil, command.Refuse("the command has more than %d %q; use fewer", maxOpeners, opener)
		}
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	file, err := parser.Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, command.Refuse("syntax error at line %s", explained(script, err))
	}
	return file, nil
}

// explained returns the text of an error of the parser, and what to do.
func explained(script string, err error) string {
	var unknown syntax.LangError
	if errors.As(err, &unknown) {
		return fmt.Sprintf("%s: %s is not in bash", unknown.Pos, unknown.Feature)
	}
	at := -1
	var wrong syntax.ParseError
	if errors.As(err, &wrong) {
		at = openBackquote(script[:min(int(wrong.Pos.Offset())+1, len(script))])
	}
	if at < 0 {
		return err.Error() + "; quote the characters that have a meaning"
	}
	line := 1 + strings.Count(script[:at], "\n")
	column := at - strings.LastIndexByte(script[:at], '\n')
	return fmt.Sprintf("%s, in the command that the backquote at %d:%d begins; if it is text, write "+
		"\\` or use single quotes", err, line, column)
}

// openBackquote returns where the command substitution begins that a text ends in, or -1.
func openBackquote(text string) int {
	at, isQuoted, wasQuoted := -1, false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\'' && !isQuoted:
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return at
			}
			i += end + 1
		case c == '"':
			isQuoted = !isQuoted
		case c == '`' && at < 0:
			at, wasQuoted, isQuoted = i, isQuoted, false
		case c == '`':
			at, isQuoted = -1, wasQuoted
		}
	}
	return at
}
