// Package text has the commands that read text and print it in another form: head, tail, cat and
// their like.
package text

import (
	"context"
	"fmt"
	"strconv"
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
		command.New("tr", "SET1 [SET2]", 1, "+-c --complement, -C, -d --delete, -s --squeeze-repeats",
			prepareTr),
		command.New("paste", files, 1, "-d= --delimiters=, -s --serial", preparePaste),
		command.New("seq", "[FIRST [STEP]] LAST", 1, "+NUM -s= --separator=, -w --equal-width",
			prepareSeq),
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

// maxSeq bounds the numbers of seq to 17 digits, so that adding them does not overflow.
const maxSeq = 1e17

func prepareSeq(a command.Arguments) (command.Run, error) {
	texts := a.Operands
	switch n := len(texts); {
	case n == 0:
		return nil, a.MissingOperand()
	case n == 1:
		texts = []string{"1", "1", texts[0]}
	case n == 2:
		texts = []string{texts[0], "1", texts[1]}
	case n > 3:
		return nil, a.ExtraOperand(3)
	}
	var n [3]int64 // the first, the step and the last
	for i, text := range texts {
		var err error
		n[i], err = strconv.ParseInt(text, 10, 64)
		isPrintedSo := strconv.FormatInt(n[i], 10) == text
		if err != nil || !isPrintedSo || n[i] <= -maxSeq || n[i] >= maxSeq {
			return nil, command.Refuse(
				"seq %s: only whole numbers of up to 17 digits are available here; use awk", text)
		}
	}
	if n[1] == 0 {
		return nil, command.UsageError("invalid Zero increment value: ‘0’")
	}
	width := 0
	if a.Has("-w") {
		width = max(len(texts[0]), len(texts[2]))
	}
	separator, ok := a.Value("-s")
	if !ok {
		separator = "\n"
	}
	return func(_ context.Context, c *command.Call) int {
		before := ""
		for i := n[0]; i <= n[2] && n[1] > 0 || i >= n[2] && n[1] < 0; i += n[1] {
			c.Account.Tick()
			fmt.Fprintf(c.Out, "%s%0*d", before, width, i)
			before = separator
		}
		if n[0] == n[2] || (n[0] < n[2]) == (n[1] > 0) {
			c.Out.WriteByte('\n')
		}
		return 0
	}, nil
}
