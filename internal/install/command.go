package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// words returns the words of a client's command. Those that are placeholders are replaced: SCOPE,
// COMMAND and ARGS, the program and the arguments of the server, and JSON, the whole entry.
func (c Client) words(command, scope string, server []string) (words []string) {
	for word := range strings.FieldsSeq(command) {
		switch word {
		case "SCOPE":
			words = append(words, scope)
		case "COMMAND":
			words = append(words, server[0])
		case "ARGS":
			words = append(words, server[1:]...)
		case "JSON":
			words = append(words, `{"name":"gander",`+string(c.entry(server)[1:]))
		default:
			words = append(words, word)
		}
	}
	return words
}

// plainWord matches a word that a shell reads as it is.
var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// quote returns words as a shell reads them.
func quote(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if !plainWord.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// A commandChange runs a command of a client.
type commandChange struct {
	client    Client
	words     []string // the command
	removal   []string // the command that removes the entry, if the client has one
	server    []string
	isRemoval bool
}

// Make implements [Change]. It replaces an entry of gander with other options.
func (c commandChange) Make() error {
	if c.isRemoval {
		if err := c.checkShown(); err != nil {
			return err
		}
		return c.run()
	}
	hasRemoved, err := c.removeOwn()
	if err != nil {
		return err
	}
	err = c.run()
	if err != nil && hasRemoved {
		return fmt.Errorf("%w; the previous entry of gander is removed", err)
	}
	return err
}

func (c commandChange) run() error {
	cmd := exec.Command(c.words[0], c.words[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("the program %s is not in PATH; install it, or run the command above "+
			"where it is", c.words[0])
	case err != nil:
		return fmt.Errorf("the command above failed: %w", err)
	default:
		return nil
	}
}

// removeOwn removes an entry of gander with other options, if the client shows one that the command
// removes. Its entries in other scopes stay.
func (c commandChange) removeOwn() (hasRemoved bool, err error) {
	if c.client.Show == "" {
		return false, nil
	}
	shown, err := c.show().Output()
	if err != nil { // the client has no entry
		return false, nil
	}
	if !isOwnShown(shown) || !c.isRemovable(shown) {
		return false, nil
	}
	if err := exec.Command(c.removal[0], c.removal[1:]...).Run(); err != nil {
		return false, fmt.Errorf("cannot replace the entry of gander: %w", err)
	}
	return true, nil
}

// checkShown returns an error unless the client shows the server, and the command to remove it.
func (c commandChange) checkShown() error {
	show := c.show()
	show.Stderr = os.Stderr
	shown, err := show.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", c.client.Show, err)
	}
	program, args := shownServer(shown)
	isSame := program == c.server[0] && args == strings.Join(c.server[1:], " ")
	if !isSame || shownEnvironment.Match(shown) || !c.isRemovable(shown) {
		return otherServer(shown)
	}
	return nil
}

// show returns the client's command that prints its entry.
func (c commandChange) show() *exec.Cmd {
	words := strings.Fields(c.client.Show)
	return exec.Command(words[0], words[1:]...)
}

// shownEntry matches the program and the arguments of an entry as clients print it.
var shownEntry = regexp.MustCompile(`ommand: (.*)\n\s*[Aa]rgs: (.*)`)

// shownServer returns the program and the arguments of the entry that a client has printed, if any.
func shownServer(shown []byte) (program, args string) {
	found := shownEntry.FindSubmatch(shown)
	if found == nil {
		return "", ""
	}
	return string(found[1]), string(found[2])
}

// shownEnvironment matches the first variable that an entry sets. gander writes none.
var shownEnvironment = regexp.MustCompile(`(?m)^\s*(?:Environment|env):\s+[^\s=]+=`)

// isOwnShown reports whether a client has printed an entry that gander could have written.
func isOwnShown(shown []byte) bool {
	program, args := shownServer(shown)
	line := append([]string{program}, strings.Fields(args)...)
	return isOwn(line) && !shownEnvironment.Match(shown)
}

// isRemovable reports whether the client shows the command that removes the entry. Some versions
// add quotes.
func (c commandChange) isRemovable(shown []byte) bool {
	unquoted := bytes.ReplaceAll(shown, []byte(`"`), nil)
	return bytes.Contains(unquoted, []byte(strings.Join(c.removal, " ")+"\n"))
}

// ownPackage matches the npm package of gander, of any owner, and perhaps a version.
var ownPackage = regexp.MustCompile(`^(@[^/]+/)?gander(@[^/]+)?$`)

// isOwn reports whether a command line is one of gander's: the program, or npx with its package, as
// a server.
func isOwn(line []string) bool {
	switch slices.Index(line, "mcp") {
	case 1:
		program := line[0][strings.LastIndexAny(line[0], `/\`)+1:]
		return strings.TrimSuffix(program, ".exe") == "gander"
	case 3:
		isNpx := line[0] == "npx" && line[1] == "-y"
		return isNpx && ownPackage.MatchString(line[2])
	default:
		return false
	}
}
