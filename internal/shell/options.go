package shell

import (
	"slices"

	"gander/internal/shell/command"
)

// shellOptions are those of set.
type shellOptions struct{ errexit, nounset, pipefail bool }

// named returns an option of set by its letter or its name, or nil.
func (o *shellOptions) named(name string) *bool {
	switch name {
	case "e", "errexit":
		return &o.errexit
	case "u", "nounset":
		return &o.nounset
	case "pipefail":
		return &o.pipefail
	}
	return nil
}

// apply sets the options in the arguments of set. It returns the positional parameters after "--",
// or nil without it. The error is a refusal.
func (o *shellOptions) apply(args []string) (parameters []string, err error) {
	if len(args) == 0 {
		return nil, command.Refuse("set: the list of the variables is not available here; use env")
	}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return args, nil
		}
		if len(arg) < 2 || arg[0] != '-' && arg[0] != '+' {
			return nil, command.Refuse("set %s: not available here; write set -- %s", arg, arg)
		}
		for _, letter := range arg[1:] {
			name := string(letter)
			if letter == 'o' && len(args) > 0 {
				name, args = args[0], args[1:]
			}
			option := o.named(name)
			if option == nil {
				return nil, command.Refuse("set %c%s: not available here; leave it out", arg[0], name)
			}
			*option = arg[0] == '-'
		}
	}
	return nil, nil
}

func runSet(e *environment, _ *command.Call, a command.Arguments) int {
	var given shellOptions
	parameters, err := given.apply(a.Operands)
	if err != nil {
		panic(command.Abort{Err: err})
	}
	if given.errexit && e.negations > 0 {
		command.Stop("set -e after ! is not available here; set it before")
	}
	_, _ = e.options.apply(a.Operands)
	if parameters != nil {
		e.parameters, e.hasSet = slices.Clone(parameters), true
	}
	return 0
}
