package shell

import (
	"slices"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

// checkNested checks the command after command, unless an option asks what it is.
func checkNested(c *checker, _ string, options []command.Option, operands []string) {
	if len(options) == 0 {
		c.nested(operands)
	}
}

func checkTimeout(c *checker, _ string, _ []command.Option, operands []string) {
	if len(operands) > 1 {
		c.nested(operands[1:])
	}
}

const onlyEnv = "env is only available without arguments here; write NAME=VALUE COMMAND"

func checkEnv(c *checker, _ string, _ []command.Option, operands []string) {
	if len(operands) > 0 {
		c.refuse(onlyEnv)
	}
}

// checkScript checks the script of bash -c. One in a file is checked when it is read.
func checkScript(c *checker, _ string, options []command.Option, operands []string) {
	isText := slices.ContainsFunc(options, func(o command.Option) bool { return o.Name == "-c" })
	if isText && len(operands) > 0 && operands[0] != placeholder {
		c.script(operands[0])
	}
}

// checkEval checks the script of eval, if it is known.
func checkEval(c *checker, _ string, _ []command.Option, operands []string) {
	if !slices.Contains(operands, placeholder) {
		c.script(strings.Join(operands, " "))
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
func checkPrintf(c *checker, _ string, _ []command.Option, operands []string) {
	if len(operands) == 0 {
		return
	}
	text := strings.ReplaceAll(operands[0], "%%", "")
	for _, part := range strings.Split(text, "%")[1:] {
		verb, _ := format.Parse(part, func() int { return 0 })
		if verb.Letter != 0 && strings.IndexByte(conversions, verb.Letter) < 0 {
			c.refuse("printf %%%c: this conversion is not available here", verb.Letter)
		}
	}
}

// checkSet refuses options of set that are not available.
func checkSet(c *checker, _ string, _ []command.Option, operands []string) {
	if !slices.Contains(operands, placeholder) {
		_, _, err := new(shellOptions).apply(operands)
		c.addRefusal(err)
	}
}
