package cli

import (
	"fmt"
	"slices"
	"strings"

	"gander/internal/jsonobject"
	"gander/internal/tools/shared"
)

// textWidth is how many columns text for a person may take.
const textWidth = 80

// toolList returns the ids and descriptions of tools as a person reads them.
func toolList(definitions []shared.Definition) string {
	var b strings.Builder
	for _, d := range definitions {
		b.WriteString(d.ID + "\n" + wrap(d.Description, "    ") + "\n")
	}
	b.WriteString("'gander call TOOL --help' shows the arguments of a tool.\n")
	return b.String()
}

// toolHelp returns the help for calls of a tool: what it does, and its arguments as its schema has them.
func toolHelp(s shared.Definition) string {
	schema, err := jsonobject.Parse(s.Input)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s\nUsage:\n  gander call %s ARGS\n\nARGS is a JSON object, or - for one on standard input. Its keys:\n\n%s\n'gander call --help' shows the flags.\n",
		wrap(s.Description, ""), s.ID, argumentsHelp(schema, ""))
}

// argumentsHelp describes the properties of an object schema. Their names begin with prefix.
func argumentsHelp(schema *jsonobject.Object, prefix string) string {
	required := schema.Texts("required")
	properties := schema.Object("properties")
	var b strings.Builder
	for _, key := range properties.Keys() {
		property := properties.Object(key)
		facts := []string{strings.Join(property.Texts("type"), " or ")}
		if slices.Contains(required, key) {
			facts = append(facts, "required")
		}
		if words := property.Texts("enum"); len(words) > 0 {
			facts = append(facts, "one of "+strings.Join(words, ", "))
		}
		for _, fact := range []struct{ key, words string }{{"minimum", "from"}, {"maximum", "to"}, {"default", "default"}} {
			if v, ok := property.Get(fact.key); ok {
				facts = append(facts, fact.words+" "+string(v.Raw()))
			}
		}
		facts = slices.DeleteFunc(facts, func(fact string) bool { return fact == "" })
		fmt.Fprintf(&b, "  %s%s  %s\n", prefix, key, strings.Join(facts, ", "))
		b.WriteString(wrap(strings.Join(property.Texts("description"), ""), "      "))
		b.WriteString(argumentsHelp(property, prefix+key+"."))
	}
	return b.String()
}

// wrap returns text as lines of at most [textWidth] columns that begin with indent.
func wrap(text, indent string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+len(word) > textWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	if column > 0 {
		b.WriteString("\n")
	}
	return b.String()
}
