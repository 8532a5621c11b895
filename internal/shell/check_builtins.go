package shell

import (
	"slices"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

// checkNested checks the command after command, unless an option asks what it is.
func checkNested(c *checker, a command.Arguments) {
	if len(a.Options) == 0 {
		c.nested(a.Operands)
	}
}

func checkTimeout(c *checker, a command.Arguments) {
	if len(a.Operands) > 1 {
		c.nested(a.Operands[1:])
	}
}

const onlyEnv = "env is only available without arguments here; write NAME=VALUE COMMAND"

func checkEnv(c *checker, a command.Arguments) {
	if len(a.Operands) > 0 {
		c.refuse(onlyEnv)
	}
}

// checkScript checks the script of bash -c. One in a file is checked when it is read.
func checkScript(c *checker, a command.Arguments) {
	if a.Has("-c") && len(a.Operands) > 0 && a.Operands[0] != placeholder {
		c.script(a.Operands[0])
	}
}

// checkEval checks the script of eval, if it is known.
func checkEval(c *checker, a command.Arguments) {
	if !slices.Contains(a.Operands, placeholder) {
		c.script(strings.Join(a.Operands, " "))
	}
}

// script checks a script in a script.
func (c *checker) script(text string) {
	file, err := parse(text)
	if err != nil {
		c.add(err)
		return
	}
	c.file(file)
}

// checkPrintf refuses conversions that are not available.
func checkPrintf(c *checker, a command.Arguments) {
	if len(a.Operands) == 0 {
		return
	}
	text := strings.ReplaceAll(a.Operands[0], "%%", "")
	for _, part := range strings.Split(text, "%")[1:] {
		verb, _ := format.Parse(part, func() int { return 0 })
		if verb.Letter != 0 && strings.IndexByte(conversions, verb.Letter) < 0 {
			c.refuse("printf %%%c: this conversion is not available here", verb.Letter)
		}
	}
}

// checkSet refuses options of set that are not available.
func checkSet(c *checker, a command.Arguments) {
	if !slices.Contains(a.Operands, placeholder) {
		_, err := new(shellOptions).apply(a.Operands)
		c.addRefusal(err)
	}
}
