package ignore_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// class returns a random class, which can be malformed.
func class(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("[" + pick(r, "", "", "!", "^") + pick(r, "", "", "", "]", "-", "^"))
	for range r.IntN(4) {
		switch r.IntN(6) {
		case 0:
			b.WriteString("[:" + pick(r, "", "", "^") + pick(r, strings.Fields(classNames)...) + ":]")
		case 1:
			b.WriteString(member(r) + "-" + member(r))
		case 2:
			b.WriteString(`\` + member(r))
		case 3:
			b.WriteString(pick(r, "[", "[:", "]", ":]", "-", "!", "^", "/", "[:alpha", "alpha:]", ":"))
		default:
			b.WriteString(member(r))
		}
	}
	b.WriteString(pick(r, "]", "]", "]", "]", "]]", ""))
	return b.String()
}

// classNames are the names of git's classes, and others that git does not know.
const classNames = "alnum alpha blank cntrl digit graph lower print punct space upper xdigit " +
	"word ascii alien Alpha ALPHA a"

// member returns a character of a name.
func member(r *rand.Rand) string {
	return pick(r, strings.Split("a b m z A M Z 0 9 _ ] [ - ! ^ : . ~ \v \f \t \x01 \x7f \u00e9 \xff",
		" ")...)
}

// everyPath returns the paths of a tree of ordinary and misleading names.
func everyPath() []string {
	names := []string{
		"a", "b", "ab", "abc", "foo", "bar", "foobar", "Foo", "a.o", "b.log", ".x", "...", "a b", "a ",
		"a  ", " a", "a\t",
		`a\b`, `a\`, `\`, "[", "]", "[a]", "[ab", "a-c", "-", "!", "!a", "#", "#a", "^", "*", "**",
		"a*", "?", "é", "日本",
		"\xff", "a\xffb", "a\r", "a\nb", "{a,b}", ":", "~",
	}
	dirs := []string{
		"", "a/", "a/b/", "a/b/a/", "foo/", "foo/bar/", "a/foo/", "node_modules/", "[ab]/", "日/", `x\y/`,
		"s p/",
	}
	var paths []string
	for i, dir := range dirs {
		if dir != "" {
			paths = append(paths, dir)
		}
		for j, name := range names {
			// The root and a/ have all names, other directories every third.
			if i > 1 && (i+j)%3 != 0 {
				continue
			}
			file := dir + name
			clash := false
			for _, d := range dirs {
				clash = clash || strings.HasPrefix(d, file+"/")
			}
			switch {
			case clash:
			case (i+j)%5 == 1:
				paths = append(paths, file+"/", file+"/in")
			default:
				paths = append(paths, file)
			}
		}
	}
	return paths
}

// ignoreFiles returns random ignore files in ascending precedence. It always returns all four, to
// replace earlier ones.
func ignoreFiles(r *rand.Rand, pattern func(*rand.Rand) string) []ignoreFile {
	files := []ignoreFile{
		{".git/info/exclude", "", ""},
		{".gitignore", "", ""},
		{"a/.gitignore", "a", ""},
		{"a/b/.gitignore", "a/b", ""},
	}
	for i := range files {
		// Few rules, and none in most files, let single rules decide.
		if i == 1 || r.IntN(3) == 0 {
			files[i].data = rules(r, pattern)
		}
	}
	return files
}

func rules(r *rand.Rand, pattern func(*rand.Rand) string) string {
	end := pick(r, "\n", "\n", "\n", "\r\n")
	var b strings.Builder
	if r.IntN(12) == 0 {
		b.WriteString("\uFEFF")
	}
	for range 1 + r.IntN(6) {
		b.WriteString(pattern(r) + end)
	}
	s := b.String()
	if r.IntN(6) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// ordinary returns a common pattern.
func ordinary(r *rand.Rand) string {
	var segments []string
	for range 1 + r.IntN(3) {
		segments = append(segments, pick(r,
			"a", "b", "foo", "bar", "node_modules", "in", "ab", "é", "日本", ".x", "a b", "*", "**", "*.o",
			"*.log", "a*", "?",
			"?b", "[ab]", "[a-c]", "[!a]", "fo?", "*o*", "foo*", `\#a`, `\!a`, "-",
			"A", "FOO", "*.O", "F*", "*O*", "[A-C]", "[A]", "[^A-C]", `\A`, "[[:upper:]]*"))
	}
	p := strings.Join(segments, "/")
	switch r.IntN(8) {
	case 0:
		p = "/" + p
	case 1:
		p = "**/" + p
	case 2:
		p += "/**"
	case 3:
		p = segments[0]
	case 4:
		p = "# " + p
	}
	return pick(r, "", "", "", "!") + p + pick(r, "", "", "/")
}

// torture returns an unusual pattern. Its parts are Go strings.
func torture(r *rand.Rand) string {
	parts := strings.Fields(tortureParts)
	var b strings.Builder
	for range 1 + r.IntN(7) {
		part, err := strconv.Unquote(pick(r, parts...))
		if err != nil {
			panic(err)
		}
		b.WriteString(part)
	}
	return pick(r, "", "", "", "!") + b.String() + pick(r, "", "", "", "/", " ", `\ `, `\`, "**")
}
