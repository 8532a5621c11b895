// Package text has the commands that read text and print it in another form: head, tail, cat and
// their like.
package text

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

// Commands returns the commands of the package.
func Commands() []command.Command {
	const files = "[FILE]..."
	const part = "-n= --lines=, -c= --bytes=, -q --quiet --silent, -NUM"
	return []command.Command{
		command.New("head", files, 1, part, prepareHead),
		command.New("tail", files, 1, part, prepareTail),
		command.New("cat", files, 1, "-n --number, -b --number-nonblank, -s --squeeze-blank, "+
			"-E --show-ends, -T --show-tabs, -v --show-nonprinting, -A --show-all, -e, -t, -u", prepareCat),
		command.New("tac", files, 1, "", prepareTac),
		command.New("nl", files, 1, "-b= --body-numbering=, -w= --number-width=, "+
			"-s= --number-separator=, -v= --starting-line-number=", prepareNl),
		command.New("cut", files, 1, "-b= --bytes=, -c= --characters=, -f= --fields=, "+
			"-d= --delimiter=, -s --only-delimited, --output-delimiter=", prepareCut),
		command.New("tr", "SET1 [SET2]", 1, "-c --complement, -C, -d --delete, -s --squeeze-repeats",
			prepareTr),
		command.New("paste", files, 1, "-d= --delimiters=, -s --serial", preparePaste),
		{
			Names: []string{"seq"}, Options: seqOptions, Operands: "[FIRST [STEP]] LAST",
			Prepare: prepareSeq,
		},
		command.New("date", "[+FORMAT]", 1, "-u --utc --universal", prepareDate),
		command.New("wc", files, 1, "-l --lines, -w --words, -c --bytes, -m --chars", prepareWc),
	}
}

func prepareDate(a command.Arguments) (command.Run, error) {
	layout := "%a %b %e %H:%M:%S %Z %Y"
	for _, operand := range a.Operands {
		given, ok := strings.CutPrefix(operand, "+")
		if !ok {
			return nil, command.Refuse("date %s: the clock cannot be set here; leave it out", operand)
		}
		layout = given
	}
	return func(_ context.Context, c *command.Call) int {
		now := time.Now()
		if a.Has("-u") {
			now = now.UTC()
		}
		fmt.Fprintln(c.Out, format.Time(layout, now))
		return 0
	}, format.CheckTime(layout)
}
