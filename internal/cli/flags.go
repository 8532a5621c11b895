package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// A toolCommand describes a tool as a command.
type toolCommand struct {
	name, tool string // the tool is an ID
	suggestFor string // names of other programs and tools with the same purpose
	flags      []commandFlag
}

// A commandFlag sets an argument of the call.
type commandFlag struct {
	// names are the names of the flag, and its letters. Only the first name and a letter after it are
	// in the help.
	names string
	// argument is the argument of the tool, or a name that begins with "-", which the command
	// replaces.
	argument string
	kind     flagKind
	min      int64    // of an integer
	words    []string // the permitted values of a word; the beginning of a value is enough
	set      any      // the value of a switch; nil if the flag asks for what is already so
	usage    string
}

type flagKind int

const (
	isSwitch flagKind = iota // has no value
	isInteger
	isNatural // an integer that is not negative
	isWord
	isList    // every use adds an element
	isIgnored // any value is accepted
)

func toolCommands() []toolCommand {
	return []toolCommand{listCommand(), readCommand(), findCommand(), searchCommand()}
}

// pageFlags are the flags that select a part of the results.
func pageFlags() []commandFlag {
	return []commandFlag{
		{names: "offset", argument: "offset", kind: isNatural, min: 1, usage: "begin with result `N`"},
		{names: "limit", argument: "limit", kind: isNatural, min: 1, usage: "show at most `N` results"},
	}
}

// outputFlags are the flags that determine the form of the results.
func outputFlags() []commandFlag {
	return []commandFlag{
		{
			names: "color colour", argument: "-color", kind: isWord,
			words: []string{"auto", "always", "never"},
			usage: "color the results: auto, always or never",
		},
		{names: "quiet q", argument: "-q", set: true, usage: "print no note on what is omitted"},
	}
}

func nullFlag() commandFlag {
	return commandFlag{
		names: "null 0 print0 zero", argument: "-0", set: true,
		usage: "end each path with a NUL byte, for xargs -0",
	}
}

func jsonFlag() commandFlag {
	return commandFlag{
		names: "json", argument: "-json", set: true, usage: "print one JSON object per result",
	}
}

func ignoredFlag(names string) commandFlag {
	return commandFlag{
		names: names, argument: "ignored", set: true, usage: "include files that git ignores",
	}
}

func listCommand() toolCommand {
	return toolCommand{
		name: "list", tool: "gander/list_dir", suggestFor: "ls ll dir tree list_dir",
		flags: slices.Concat([]commandFlag{
			{names: "depth L level", argument: "depth", kind: isNatural, min: 1, usage: "list `N` levels"},
			{names: "recursive R", argument: "depth", set: 1000, usage: "list all levels"},
			{
				names: "details l long full-time", argument: "details", set: true,
				usage: "add sizes and modification times",
			},
			{names: "all a almost-all A one 1 classify F p indicator-style file-type d directory U f " +
				"literal N show-control-chars"},
			ignoredFlag("ignored no-ignore"), nullFlag(), jsonFlag(),
		}, pageFlags(), outputFlags()),
	}
}

func readCommand() toolCommand {
	return toolCommand{
		name: "read", tool: "gander/read_file",
		suggestFor: "cat view head tail less more bat open show read_file",
		flags: slices.Concat([]commandFlag{
			{
				names: "offset", argument: "offset", kind: isInteger,
				usage: "begin with line `N`; negative counts from the end",
			},
			{
				names: "limit lines max-count", argument: "limit", kind: isNatural, min: 1,
				usage: "show at most `N` lines",
			},
			{
				names: "block", argument: "block", kind: isNatural, min: 1,
				usage: "show the block around line `N`",
			},
			{
				names: "numbers n number line-number", argument: "numbers", set: true,
				usage: "number lines (default on a terminal)",
			},
			{names: "no-numbers N", argument: "numbers", set: false, usage: "do not number lines"},
			{names: "u silent v verbose", kind: isSwitch},
		}, outputFlags()),
	}
}

func findCommand() toolCommand {
	return toolCommand{
		name: "find", tool: "gander/find_files", suggestFor: "fd fdfind glob locate find_files",
		flags: slices.Concat([]commandFlag{
			{
				names: "extension e", argument: "-x", kind: isList,
				usage: "find `EXT` files instead of PATTERN; repeatable",
			},
			{
				names: "type t kind", argument: "kind", kind: isWord, words: []string{"file", "directory"},
				usage: "find only files (`TYPE` f) or directories (d)",
			},
			{
				names: "sort", argument: "sort", kind: isWord, words: []string{"path", "modified"},
				usage: "sort by `KEY`: path (default), or modified: newest first",
			},
			{names: "hidden H ignore-case i glob g full-path p strip-cwd-prefix no-follow print " +
				"no-ignore-parent no-global-ignore-file show-errors fixed-strings F"},
			{names: "threads j max-buffer-time path-separator", kind: isIgnored},
			ignoredFlag("ignored no-ignore I unrestricted u no-ignore-vcs"), nullFlag(), jsonFlag(),
		}, pageFlags(), outputFlags()),
	}
}

// adviceTable has a section for each command. A line has flags of other programs, and what to use
// instead.
//
//go:embed advice.txt
var adviceTable string

// adviceFor returns what to use instead of the flags of other programs, by the name of the flag.
func adviceFor(command string) map[string]string {
	_, section, _ := strings.Cut(adviceTable, "# "+command+"\n")
	section, _, _ = strings.Cut(section, "# ")
	advice := make(map[string]string)
	for line := range strings.Lines(section) {
		flags, use, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		for flag := range strings.FieldsSeq(flags) {
			advice[flag] = use
		}
	}
	return advice
}

// types has one glob per line, after the names of the file types that it matches.
//
//go:embed types.txt
var types string

// fileTypes returns the globs of common file types by name.
func fileTypes() map[string]string {
	globs := make(map[string]string)
	for line := range strings.Lines(types) {
		words := strings.Fields(line)
		for _, name := range words[:len(words)-1] {
			globs[name] = words[len(words)-1]
		}
	}
	return globs
}

// add adds the flag to flags. It sets an argument in args.
func (f commandFlag) add(flags *pflag.FlagSet, args map[string]any) {
	set := func(value string) error { return f.setValue(args, value) }
	names := strings.Fields(f.names)
	for i := 0; i < len(names); i++ {
		name, letter := names[i], ""
		if len(name) == 1 {
			name, letter = "short-"+name, name
		} else if i+1 < len(names) && len(names[i+1]) == 1 {
			i++
			letter = names[i]
		}
		if f.kind == isSwitch {
			flags.BoolFuncP(name, letter, f.usage, set)
		} else {
			flags.FuncP(name, letter, f.usage, set)
		}
		flags.Lookup(name).Hidden = f.usage == "" || name != names[0]
	}
}

// setValue sets the argument of a flag with a value from the command line.
func (f commandFlag) setValue(args map[string]any, value string) error {
	switch f.kind {
	case isInteger, isNatural:
		n, err := strconv.ParseInt(value, 10, 64)
		if f.kind == isNatural && (err != nil || n < f.min) {
			return fmt.Errorf("must be an integer, at least %d", f.min)
		}
		if err != nil {
			return errors.New("must be an integer")
		}
		args[f.argument] = n
	case isList:
		list, _ := args[f.argument].([]string)
		args[f.argument] = append(list, value)
	case isWord:
		isMeant := func(word string) bool { return value != "" && strings.HasPrefix(word, value) }
		i := slices.IndexFunc(f.words, isMeant)
		if i < 0 {
			return errors.New("must be one of " + strings.Join(f.words, ", "))
		}
		args[f.argument] = f.words[i]
	case isSwitch:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("must be true or false")
		}
		if on && f.set != nil {
			args[f.argument] = f.set
		}
	}
	return nil
}
