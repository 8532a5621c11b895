// Package text has the commands that read text and print it in another form: head, tail, cat and
// their like.
package text

import "gander/internal/shell/command"

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
		command.New("rev", files, 1, "", prepareRev),
		command.New("date", "[+FORMAT]", 1, "-u --utc --universal", prepareDate),
		command.New("wc", files, 1, "-l --lines, -w --words, -c --bytes, -m --chars", prepareWc),
	}
}
