// Package text has the commands that read text and print it in another form: head, tail, cat and
// their like.
package text

import "gander/internal/shell/command"

// Commands returns the commands of the package.
func Commands() []command.Command {
	const files = "[FILE]..."
	tail := command.New("tail", files, 1, "-n= --lines=, -c= --bytes=, -q --quiet --silent, "+
		"-v --verbose, -z --zero-terminated", prepareTail)
	tail.Prepare = withOldTail(tail.Prepare)
	return []command.Command{
		command.New("head", files, 1, "-n= --lines=, -c= --bytes=, -q --quiet --silent, -v --verbose, "+
			"-z --zero-terminated, -NUM", prepareHead),
		tail,
		command.New("cat", files, 1, "-n --number, -b --number-nonblank, -s --squeeze-blank, "+
			"-E --show-ends, -T --show-tabs, -v --show-nonprinting, -A --show-all, -e, -t, -u", prepareCat),
		command.New("tac", files, 1, "", prepareTac),
		command.New("nl", files, 1, "-b= --body-numbering=, -h= --header-numbering=, "+
			"-f= --footer-numbering=, -w= --number-width=, -s= --number-separator=, "+
			"-v= --starting-line-number=, -i= --line-increment=, -n= --number-format=, "+
			"-p --no-renumber", prepareNl),
		command.New("cut", files, 1, "-b= --bytes=, -c= --characters=, -f= --fields=, "+
			"-d= --delimiter=, -s --only-delimited, --output-delimiter=, --complement, -n, "+
			"-z --zero-terminated", prepareCut),
		command.New("tr", "SET1 [SET2]", 1, "-c --complement, -C, -d --delete, -s --squeeze-repeats, "+
			"-t --truncate-set1", prepareTr),
		command.New("paste", files, 1, "-d= --delimiters=, -s --serial, -z --zero-terminated",
			preparePaste),
		{
			Names: []string{"seq"}, Options: seqOptions, Operands: "[FIRST [STEP]] LAST",
			Prepare: prepareSeq,
		},
		command.New("rev", files, 1, "", prepareRev),
		command.New("fold", files, 1, "-w= --width=, -s --spaces, -b --bytes, -NUM", prepareFold),
		command.New("expand", files, 1, "-t= --tabs=, -i --initial", prepareExpand),
		command.New("tee", "/dev/null", 1, "-a --append, -i --ignore-interrupts", prepareTee),
		command.New("column", files, 1, "-t --table, -s= --separator=, -o= --output-separator=",
			prepareColumn),
		command.New("date", "[+FORMAT]", 1, "-u --utc --universal, -d= --date=, -r= --reference=, "+
			"-I? --iso-8601?, -R --rfc-email", prepareDate),
		command.New("wc", files, 1, "-l --lines, -w --words, -c --bytes, -m --chars, "+
			"-L --max-line-length", prepareWc),
	}
}

// lineEnd returns what ends a line, which -z changes.
func lineEnd(a command.Arguments) byte {
	if a.Has("-z") {
		return 0
	}
	return '\n'
}
