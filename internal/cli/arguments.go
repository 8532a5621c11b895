package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander"
	"gander/internal/config"
	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/internal/search/filetype"
	"gander/internal/toolset"
	"gander/tool"
)

// argumentFlags are the flags that are arguments of a tool.
type argumentFlags struct {
	cmd    *cobra.Command
	values map[string]*argumentValue // by argument
}

// A schema is what flags need of the JSON schema of an argument, or of all of them.
type schema struct {
	Type, Description string
	Enum              []string
	Items             *schema
	Properties        map[string]schema
}

// specOf returns the spec of the tool with a name, as it is without a configuration.
func specOf(name string) (tool.Spec, error) {
	o := config.Defaults()
	o.Tools = []string{"all"}
	ts, err := gander.Open(o)
	if err != nil {
		return tool.Spec{}, err
	}
	defer ts.Close()
	return lookUp((*toolset.Toolset)(ts), name)
}

// newArgumentFlags adds a flag to cmd for each argument of the tool with a name. letters has short
// forms, such as "i=ignore_case", and "l=output:files" for a value.
func newArgumentFlags(cmd *cobra.Command, name, letters string) (*argumentFlags, error) {
	f := &argumentFlags{cmd: cmd, values: make(map[string]*argumentValue)}
	spec, err := specOf(name)
	if err != nil {
		return f, err
	}
	var all schema
	if err := json.Unmarshal(spec.Input, &all); err != nil {
		return f, err
	}
	if name == "gander/search_text" { // which has it beside its schema
		all.Properties["type"] = schema{
			Type: "string", Description: "Only files of a type, such as go.", Enum: filetype.Names(),
		}
	}
	short := make(map[string]string) // by argument
	for word := range strings.FieldsSeq(letters) {
		letter, argument, _ := strings.Cut(word, "=")
		short[argument] = letter
	}
	for argument, s := range all.Properties {
		f.add(argument, short[argument], s)
	}
	for word, letter := range short {
		argument, value, ok := strings.Cut(word, ":")
		if ok {
			usage := fmt.Sprintf("short for --%s %s", wording.FlagName(argument), value)
			set := func(string) error { return f.values[argument].Set(value) }
			cmd.Flags().BoolFuncP(value, letter, usage, set)
		}
	}
	return f, nil
}

// add adds the flag of an argument, unless the command has one with this name.
func (f *argumentFlags) add(argument, letter string, s schema) {
	name := wording.FlagName(argument)
	if f.cmd.Flags().Lookup(name) != nil {
		return
	}
	v := &argumentValue{schema: s}
	f.values[argument] = v
	flag := f.cmd.Flags().VarPF(v, name, letter, s.Description)
	if s.Type == "boolean" {
		flag.NoOptDefVal = "true"
	}
	if len(s.Enum) > 0 {
		completeValues(f.cmd, name, s.Enum...)
	}
}

func (f *argumentFlags) encode() json.RawMessage {
	object := make(map[string]json.RawMessage)
	for argument, v := range f.values {
		if len(v.given) > 0 {
			object[argument] = v.encode()
		}
	}
	raw, _ := json.Marshal(object) // every value is JSON
	return raw
}

// An argumentValue is the value of a flag for an argument. It implements [pflag.Value].
type argumentValue struct {
	schema schema
	isList bool              // it is a list even if there is one value
	given  []json.RawMessage // what the command line gives, in order
}

// Set implements [pflag.Value]. The tool checks what the type leaves open.
func (v *argumentValue) Set(word string) error {
	kind := v.schema.Type
	if kind == "array" && v.schema.Items != nil {
		kind = v.schema.Items.Type
	}
	raw, err := valueOf(kind, word)
	if err == nil {
		v.given = append(v.given, raw)
	}
	return err
}

// valueOf returns the JSON value of a type that a word of the command line means.
func valueOf(kind, word string) (json.RawMessage, error) {
	switch kind {
	case "string":
		if !utf8.ValidString(word) { // which a JSON string cannot have
			word = text.EscapePath(word)
		}
		return json.Marshal(word)
	case "boolean":
		b, err := strconv.ParseBool(word)
		if err != nil {
			return nil, errors.New("must be true or false")
		}
		return json.Marshal(b)
	case "integer", "number":
		var n float64
		if err := json.Unmarshal([]byte(word), &n); err != nil {
			return nil, errors.New("must be a number")
		}
		return json.RawMessage(word), nil
	default:
		if !json.Valid([]byte(word)) {
			return nil, errors.New("must be JSON")
		}
		return json.RawMessage(word), nil
	}
}

// Type implements [pflag.Value].
func (v *argumentValue) Type() string {
	names := map[string]string{"boolean": "bool", "integer": "int"} // as pflag calls them
	return cmp.Or(names[v.schema.Type], v.schema.Type, "JSON")
}

// String implements [pflag.Value].
func (v *argumentValue) String() string {
	if v == nil || len(v.given) == 0 {
		return ""
	}
	return string(v.encode())
}

// encode returns the value in JSON. Several texts are a list, which a tool that takes one refuses;
// of several other values, the last one counts.
func (v *argumentValue) encode() json.RawMessage {
	isText := v.schema.Type == "string"
	isSeveral := isText && len(v.given) > 1
	if v.schema.Type == "array" || v.isList || isSeveral {
		raw, _ := json.Marshal(v.given) // each of them is JSON
		return raw
	}
	return v.given[len(v.given)-1]
}

var _ pflag.Value = (*argumentValue)(nil)
