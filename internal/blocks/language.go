package blocks

import (
	"path"
	"strings"
)

// A Language is what a finder knows of a language. Sets of words have spaces around each.
type Language struct {
	names string // extensions, or whole names of files

	// Comments and strings:
	line        string // what begins a comment up to the end of the line
	comment     [2]string
	nested      bool   // comments nest
	quotes      string // around strings of one line
	long        string // around strings of several lines
	raw         string // around strings of several lines without escapes
	tripled     string // around strings of several lines when there are three
	char        bool   // ' is around a character, or begins a name
	hereDoc     string // what begins a here document
	percent     bool   // %w(...) is a string
	perl        bool   // the strings, documentation and end of Perl
	regexp      bool   // /.../ is a regular expression where an operand is expected
	template    bool   // ${...} in a raw string is code
	php         bool   // code is between <?php and ?>
	directives  bool   // # begins a directive of a preprocessor
	dollars     bool   // $x$...$x$ is a string
	longBracket bool   // [[...]] and [==[...]==] are strings

	// Statements:
	layout   bool // the indentation shows the blocks
	ends     bool // in a layout, a function with a body needs an end
	newline  bool // statements end at a line feed
	paren    bool // name(...) before a block begins a function
	arrow    bool // => makes a function
	receiver bool // a name follows (...) after a word that defines
	any      bool // each block counts as a function
	headings bool // those of Markdown
	begins   bool // begin and end are brackets
	shell    bool // almost any mark can end a statement
	defines  string
	alone    string // define a function without a name
	types    string // define what is no function
	controls string // begin no function
	middle   string // continue a statement of a layout at the same indentation
}

// controls are words of many languages that begin no function.
const controls = "if for while do switch try"

// isAccess reports whether a word is a label of a class, and no statement.
func (l *Language) isAccess(word []byte) bool {
	return l.directives && string(word) != "case" && string(word) != "default"
}

// ForFile returns the language of a file by its name.
func ForFile(name string) Language {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	for _, l := range languages() {
		for known := range strings.FieldsSeq(l.names) {
			if known == base || (ext != "" && known == ext) {
				return l
			}
		}
	}
	return unknown()
}

// Markdown returns the language of texts with the headings of Markdown, such as those of documents.
func Markdown() Language { return Language{layout: true, headings: true} }

// IsMarkdown reports whether the headings of a text show its blocks.
func (l Language) IsMarkdown() bool { return l.headings }

// unknown returns what many languages have in common.
func unknown() Language {
	return Language{
		layout: true, line: "// # -- ;;", comment: [2]string{"/*", "*/"},
		defines: " func def fn fun sub function it test proc ", middle: " end ",
	}
}

var slashes = [2]string{"/*", "*/"}

func languages() []Language {
	script := Language{
		line: "//", comment: slashes, quotes: `"'`, raw: "`", template: true, regexp: true,
		newline: true, paren: true, arrow: true, defines: " function ",
		types:    " class interface enum namespace module type ",
		controls: " with import ",
	}
	javaScript, typeScript := script, script
	javaScript.names = ".js .mjs .cjs .jsx .es6"
	typeScript.names = ".ts .tsx .mts .cts"
	return []Language{
		javaScript,
		typeScript,
		{
			names: ".go", line: "//", comment: slashes, quotes: `"'`, raw: "`", newline: true,
			receiver: true, defines: " func ",
		},
		{
			names: ".py .pyi .pyw .pyx .gd SConstruct SConscript", layout: true, line: "#", quotes: `"'`,
			tripled: `"'`, defines: " def ", middle: " ",
		},
		{
			names: ".rs", line: "//", comment: slashes, nested: true, long: `"`, char: true, defines: " fn ",
			controls: " match loop unsafe ",
		},
		{
			names: ".c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .inl .ipp .m .mm .cu .ino .glsl .y .l",
			line:  "//", comment: slashes, quotes: `"`, char: true, directives: true, paren: true,
			types: " class struct union enum namespace ", controls: " using typedef ",
		},
		{
			names: ".cs", line: "//", comment: slashes, quotes: `"`, tripled: `"`, char: true,
			directives: true, paren: true, types: " class struct interface enum namespace record ",
			controls: " foreach using lock fixed checked unchecked unsafe yield await new ",
		},
		{
			names: ".java .groovy .gradle", line: "//", comment: slashes, quotes: `"`, tripled: `"`,
			char: true, paren: true, types: " class interface enum record ",
			controls: " synchronized assert new yield ",
		},
		{
			names: ".kt .kts", line: "//", comment: slashes, nested: true, quotes: "\"`", tripled: `"`,
			char: true, newline: true, defines: " fun ", alone: " constructor init ",
			types: " class object interface ",
		},
		{
			names: ".swift", line: "//", comment: slashes, nested: true, quotes: "\"`", tripled: `"`,
			newline: true, directives: true, defines: " func ", alone: " init deinit subscript ",
		},
		{
			names: ".php .phtml .inc", line: "// #", comment: slashes, long: `"'`, hereDoc: "<<<", php: true,
			defines: " function ",
		},
		{
			names: ".rb .rake .gemspec .cr Rakefile Gemfile Vagrantfile", layout: true, ends: true,
			line: "#", quotes: "\"'`", hereDoc: "<<", percent: true, defines: " def ",
			middle: " end rescue ensure else elsif when in ",
		},
		{
			names: ".lua", layout: true, ends: true, line: "--", quotes: `"'`, longBracket: true,
			defines: " function ", middle: " end else elseif until ",
		},
		{
			names: ".scala .sc .sbt", line: "//", comment: slashes, nested: true, quotes: "\"`",
			tripled: `"`, char: true, newline: true, defines: " def ",
		},
		{
			names: ".dart", line: "//", comment: slashes, nested: true, quotes: `"'`,
			tripled: `"'`, paren: true,
			types: " class enum mixin extension ", controls: " await yield assert ",
		},
		{
			names: ".sh .bash .zsh .ksh .bats PKGBUILD .ebuild configure", line: "#", long: `"'`,
			hereDoc: "<<", newline: true, shell: true, paren: true, defines: " function ",
			controls: " until select then elif esac done fi ",
		},
		{
			names: ".pl .pm .t .cgi", line: "#", long: "\"'`", hereDoc: "<<", perl: true,
			defines:  " sub ",
			controls: " split grep map join unless until foreach and or x lt gt eq ne cmp ",
		},
		{
			names: ".ex .exs", layout: true, line: "#", quotes: `"'`, tripled: `"'`,
			defines: " def defp defmacro defmacrop test ", middle: " end else rescue catch after ",
		},
		{
			names: ".sql .pls .plsql .pgsql", line: "--", comment: slashes, long: `'"`, dollars: true,
			begins: true, defines: " function procedure trigger ", controls: " loop repeat ",
		},
		{
			names: ".css .scss .less", line: "//", comment: slashes, quotes: `"'`, any: true,
		},
		{
			names: "Makefile makefile GNUmakefile .mk .mak", layout: true, line: "#", any: true,
			middle: " endef endif else ",
		},
		{names: ".json .jsonc .json5", line: "//", comment: slashes, quotes: `"`},
		{
			names: ".md .markdown", layout: true, headings: true,
		},
	}
}
