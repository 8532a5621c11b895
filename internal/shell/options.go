package shell

import (
	"slices"

	"gander/internal/shell/command"
)

// shellOptions are those of set and shopt.
type shellOptions struct {
	errexit, nounset, noglob, pipefail bool
	globstar, nullglob, dotglob        bool
	nocaseglob, nocasematch            bool
}

// set sets an option of set by its letter or its name. It reports whether it exists here.
func (o *shellOptions) set(name string, on bool) bool {
	switch name {
	case "e", "errexit":
		o.errexit = on
	case "u", "nounset":
		o.nounset = on
	case "f", "noglob":
		o.noglob = on
	case "pipefail":
		o.pipefail = on
	case "C", "noclobber", "h", "hashall", "B", "braceexpand", "m", "monitor", "P", "physical":
		return on == (name != "m" && name != "monitor" && name != "P" && name != "physical")
	default:
		return false
	}
	return true
}

// letters returns the value of "$-".
func (o shellOptions) letters() string {
	letters := ""
	if o.errexit {
		letters += "e"
	}
	if o.noglob {
		letters += "f"
	}
	letters += "h"
	if o.nounset {
		letters += "u"
	}
	return letters + "Bc"
}

// shopt returns an option of shopt, or nil.
func (o *shellOptions) shopt(name string) *bool {
	switch name {
	case "globstar":
		return &o.globstar
	case "nullglob":
		return &o.nullglob
	case "dotglob":
		return &o.dotglob
	case "nocaseglob":
		return &o.nocaseglob
	case "nocasematch":
		return &o.nocasematch
	}
	return nil
}

// apply sets the options in the arguments of set, and calls refuse for those that are not here. It
// returns the parameters after them, if there are any.
func (o *shellOptions) apply(
	args []string, refuse func(sign byte, name string),
) (parameters []string, hasParameters bool) {
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			return args[1:], true
		}
		if len(arg) < 2 || arg[0] != '-' && arg[0] != '+' {
			return args, true
		}
		args = args[1:]
		for _, letter := range arg[1:] {
			name := string(letter)
			if letter == 'o' && len(args) > 0 {
				name, args = args[0], args[1:]
			}
			if !o.set(name, arg[0] == '-') {
				refuse(arg[0], name)
			}
		}
	}
	return nil, false
}

func runSet(e *environment, _ *command.Call, _ []command.Option, args []string) int {
	parameters, ok := e.options.apply(args, func(sign byte, name string) {
		refuse("set %c%s: this option is not available here; leave it out", sign, name)
	})
	if ok {
		e.parameters = slices.Clone(parameters)
	}
	return 0
}

func runShopt(e *environment, c *command.Call, options []command.Option, names []string) int {
	if len(options) == 0 || len(names) == 0 {
		refuse("shopt: only -s, -u and -q with the names of options are available here")
	}
	status := 0
	for _, name := range names {
		option := e.options.shopt(name)
		switch {
		case option == nil:
			refuse("shopt %s: this option is not available here; leave it out", name)
		case options[0].Name == "-q" && !*option:
			status = 1
		case options[0].Name != "-q":
			*option = options[0].Name == "-s"
		}
	}
	return status
}
