package command

import (
	"fmt"
	"strings"
)

// Options lists the options of a command, separated by spaces, in the form of its manual:
//
//	-n --line-number    an option with a short and a long form
//	-A= --after-context=  one with a value
//	--color?            one with an optional value, only as --color=VALUE or -cVALUE
//	-o                  one without a long form
//
// A comma separates two options: "-n --line-number, -A= --after-context=, --color?". "-NUM" is an
// option that is a number. The long form of an option cannot be shortened. As in getopt, a "+"
// before all of them means that the first operand ends the options. After "+NUM ", it can be a
// negative number.
type Options string

// An Option is an option in the arguments of a command.
type Option struct {
	Name  string // its first form in the Options, such as "-n" or "--include", without "=" or "?"
	Value string
}

// A form is one form of an option.
type form struct {
	text  string // as written, without "=" or "?"
	name  string // of the option
	value byte   // '=' or '?', or 0
}

func (o Options) forms() []form {
	var forms []form
	list := strings.TrimPrefix(strings.TrimPrefix(string(o), "+"), "NUM ")
	for option := range strings.SplitSeq(list, ",") {
		name := ""
		for field := range strings.FieldsSeq(option) {
			f := form{text: strings.TrimRight(field, "=?")}
			if len(f.text) < len(field) {
				f.value = field[len(field)-1]
			}
			if name == "" {
				name = f.text
			}
			f.name = name
			forms = append(forms, f)
		}
	}
	return forms
}

// Parse parses arguments as getopt_long does: options and operands in any order, up to "--". The
// error is a Refusal for an option that is not listed, or a UsageError.
func (o Options) Parse(name string, args []string) (Arguments, error) {
	a := Arguments{Name: name, All: args}
	forms := o.forms()
	takesNegative := strings.HasPrefix(string(o), "+NUM ")
	isOrdered := strings.HasPrefix(string(o), "+")
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		var err error
		isNegative := takesNegative && len(arg) > 1 && arg[0] == '-' && isDigit(arg[1])
		switch {
		case arg == "--":
			a.Operands = append(a.Operands, args...)
			return a, nil
		case strings.HasPrefix(arg, "--"):
			a.Options, args, err = parseLong(forms, name, arg, args, a.Options)
		case len(arg) > 1 && arg[0] == '-' && !isNegative:
			a.Options, args, err = parseShort(forms, name, arg, args, a.Options)
		case isOrdered:
			a.Operands = append([]string{arg}, args...)
			return a, nil
		default:
			a.Operands = append(a.Operands, arg)
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

// A GNUError is an error in the words of the real program, which can begin with a capital letter.
type GNUError string

func (e GNUError) Error() string { return string(e) }

// A UsageError is a wrong use of an option, in the words of getopt.
type UsageError string

func (e UsageError) Error() string { return string(e) }

func parseLong(forms []form, name, arg string, args []string, options []Option) (
	[]Option, []string, error,
) {
	text, value, hasValue := strings.Cut(arg, "=")
	f, ok := findForm(forms, text)
	if !ok {
		return nil, nil, refuseOption(name, text)
	}
	switch {
	case f.value == 0 && hasValue:
		return nil, nil, UsageError(fmt.Sprintf("option '%s' doesn't allow an argument", f.text))
	case f.value == '=' && !hasValue:
		if len(args) == 0 {
			return nil, nil, UsageError(fmt.Sprintf("option '%s' requires an argument", f.text))
		}
		value, args = args[0], args[1:]
	}
	return append(options, Option{f.name, value}), args, nil
}

func parseShort(forms []form, name, arg string, args []string, options []Option) (
	[]Option, []string, error,
) {
	_, takesNumber := findForm(forms, "-NUM")
	for i := 1; i < len(arg); i++ {
		number := arg[i : len(arg)-len(strings.TrimLeft(arg[i:], "0123456789"))]
		if takesNumber && number != "" {
			options = append(options, Option{"-NUM", number})
			i += len(number) - 1
			continue
		}
		letter := "-" + arg[i:i+1]
		f, ok := findForm(forms, letter)
		rest := arg[i+1:]
		switch {
		case !ok:
			return nil, nil, refuseOption(name, letter)
		case f.value == 0:
			options = append(options, Option{f.name, ""})
			continue
		case f.value == '=' && rest == "":
			if len(args) == 0 {
				text := fmt.Sprintf("option requires an argument -- '%s'", letter[1:])
				return nil, nil, UsageError(text)
			}
			rest, args = args[0], args[1:]
		}
		return append(options, Option{f.name, rest}), args, nil
	}
	return options, args, nil
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func findForm(forms []form, text string) (form, bool) {
	for _, f := range forms {
		if f.text == text {
			return f, true
		}
	}
	return form{}, false
}

func refuseOption(name, option string) error {
	return Refuse("%s %s: this option is not available here; leave it out or use another command",
		name, option)
}
