package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"gander"
	"gander/internal/toolset"
	"gander/mcpserver"
)

const (
	// tokenVariable is the environment variable with the bearer tokens.
	tokenVariable = "GANDER_TOKEN"
	// minToken is the minimum length of a token. A shorter token could be guessed.
	minToken = 16
	// grantForm is the form of a line of a token file.
	grantForm = "a line is TOKEN, or NAME TOKEN [--root DIR]... [--tools LIST]"
)

// A grant is a line of a token file: TOKEN, or NAME TOKEN [--root DIR]... [--tools LIST]. Whoever
// has the token sees these roots and tools, or all of the server's without them.
type grant struct {
	where        string // for errors
	name, token  string
	roots, tools []string
}

// readGrants reads the bearer tokens, if any. The file takes precedence over the environment.
func readGrants(file string) ([]grant, error) {
	text, where := os.Getenv(tokenVariable), tokenVariable
	if file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("cannot read the token: %w", err)
		}
		text, where = string(data), file
	} else if text == "" {
		return nil, nil
	}
	var grants []grant
	names, tokens := make(map[string]bool), make(map[string]bool)
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		g, err := parseGrant(strings.TrimSpace(line))
		g.where = fmt.Sprintf("%s, line %d", where, i+1)
		g.name = cmp.Or(g.name, fmt.Sprint(i+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", g.where, err)
		case names[g.name]:
			return nil, fmt.Errorf("%s: the name %s is given twice; rename one client", g.where, g.name)
		case tokens[g.token]:
			return nil, fmt.Errorf("%s: the token is given twice; give each client its own", g.where)
		}
		names[g.name], tokens[g.token] = true, true
		grants = append(grants, g)
	}
	return grants, nil
}

// word matches a word of a line, in which quotation marks can contain spaces.
var word = regexp.MustCompile(`(?:[^\s"]|"[^"]*")+`)

func parseGrant(line string) (g grant, err error) {
	if strings.Count(line, `"`)%2 == 1 {
		return g, errors.New("a quotation mark is not closed; close it")
	}
	words := word.FindAllString(line, -1)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], `"`, "")
	}
	for _, word := range words[:min(len(words), 2)] {
		isFlag := strings.HasPrefix(word, "--root") || strings.HasPrefix(word, "--tools")
		if strings.HasPrefix(word, "-") && !isFlag {
			return g, errors.New("a name or token begins with -; choose another") // do not show it
		}
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringArrayVar(&g.roots, "root", nil, "")
	flags.StringSliceVar(&g.tools, "tools", nil, "")
	if err := flags.Parse(words); err != nil {
		return g, fmt.Errorf("%w; %s", err, grantForm)
	}
	switch flags.NArg() {
	case 1:
		g.token = flags.Arg(0)
	case 2:
		g.name, g.token = flags.Arg(0), flags.Arg(1)
	}
	isForbidden := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(g.token) < minToken || strings.ContainsFunc(g.token, isForbidden) {
		return g, fmt.Errorf("a token must be at least %d ASCII characters without spaces; %s",
			minToken, grantForm)
	}
	return g, checkNotEmpty(flags, "root", "tools")
}

// open returns the token with a server for the roots and tools of the grant, which are of ts. The
// caller must close what it opens, if that is not nil.
func (g grant) open(ts *toolset.Toolset) (_ mcpserver.Token, opened io.Closer, err error) {
	token := mcpserver.Token{Name: g.name, Secret: g.token}
	if len(g.roots)+len(g.tools) == 0 {
		return token, nil, nil
	}
	var roots []string
	for _, root := range g.roots {
		dir, err := filepath.Abs(expandHome(root))
		if err != nil {
			return token, nil, failure(err)
		}
		roots = append(roots, dir)
	}
	narrowed, err := ts.Narrow(roots, g.tools)
	if err != nil {
		return token, nil, fmt.Errorf("%s: %w (a token cannot have more than the server)", g.where, err)
	}
	token.Server = mcpserver.New((*gander.Toolset)(narrowed), &mcpserver.Options{Version: version()})
	return token, narrowed, nil
}
