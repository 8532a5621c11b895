package install

import (
	"bytes"
	"fmt"
)

// These bound what the parsers get, because a file may be that of a repository. The parser of JSON recurses without a limit and
// needs some hundred bytes for a value. That of TOML compares every key of a table with all others.
const (
	maxDepth    = 10_000
	maxValues   = 2_000_000
	maxTOMLSize = 4 << 20
	maxTOMLKeys = 10_000
)

// checkJSON returns an error if a text of JSON with comments has more than the parser is to get. It finds no other fault.
func checkJSON(text []byte) error {
	depth, values := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			end := "\n"
			if bytes.HasPrefix(text[i:], []byte("/*")) {
				end = "*/"
			}
			_, rest, _ := bytes.Cut(text[min(i+2, len(text)):], []byte(end))
			i = len(text) - len(rest) - 1
		case '[', '{':
			values++
			if depth++; depth > maxDepth {
				return fmt.Errorf("its values are nested more than %d levels deep", maxDepth)
			}
		case ']', '}':
			depth--
		case ',':
			values++
		}
		if values > maxValues {
			return fmt.Errorf("it has more than %d values", maxValues)
		}
	}
	return nil
}

// checkTOML returns an error if a text of TOML has more than the parser is to get. It counts the lines that may begin a table
// and the equals signs, also those in strings.
func checkTOML(text []byte) error {
	if len(text) > maxTOMLSize {
		return fmt.Errorf("it is larger than %d bytes", maxTOMLSize)
	}
	keys := bytes.Count(text, []byte("="))
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("[")) {
			keys++
		}
	}
	if keys > maxTOMLKeys {
		return fmt.Errorf("it has more than %d keys", maxTOMLKeys)
	}
	return nil
}
