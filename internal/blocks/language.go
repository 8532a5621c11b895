package blocks

import (
	"path"
	"strings"
	"sync"
)

// A Language is what a finder knows of a language. The regular expressions apply to the words and
// the marks of a statement before its body, without strings and without what is between brackets.
type Language struct {
	names string // extensions, or whole names of files
	forms []form // comments and strings; the first one that matches counts

	function string // a regular expression of what is a function
	types    string // words before the name of what is none
	control  string // words that begin none

	layout     bool   // the indentation shows the blocks, and no brackets
	ends       bool   // in a layout, a function with a body needs an end
	middle     string // words that continue a statement of a layout at the same indentation
	newline    bool   // statements end at a line feed
	paren      bool   // name(...) before a block begins a function
	arrow      bool   // => begins the body of a function
	any        bool   // each block counts as a function
	directives bool   // # begins a directive of a preprocessor, as in C
	conditions bool   // #if and its relatives are directives, and no other words after #
	begins     bool   // begin and end are brackets
	shell      bool   // almost any mark can end a statement
	isScript   bool   // JavaScript and its relatives
	isPage     bool   // code is between <?php and ?>
	headings   bool   // those of Markdown

	// ready compiles the regular expressions when it is called first.
	ready func() *compiled
}

// A compiled language is one whose regular expressions are ready for use.
type compiled struct {
	grammar *grammar
	lexicon *lexicon
}

// compilable returns a language that finders can use.
func compilable(l Language) Language {
	l.ready = sync.OnceValue(func() *compiled {
		return &compiled{grammar: newGrammar(&l), lexicon: newLexicon(l.forms)}
	})
	return l
}

// ForFile returns the language of a file by its name.
func ForFile(name string) Language {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	if l, ok := languages()[base]; ok {
		return l
	}
	if l, ok := languages()[ext]; ok {
		return l
	}
	return unknown()
}

// Markdown returns the language of texts with the headings of Markdown, such as those of documents.
func Markdown() Language { return languages()[".md"] }

// languages has the known languages, by the extensions and the whole names of their files.
var languages = sync.OnceValue(func() map[string]Language {
	named := make(map[string]Language)
	for _, l := range knownLanguages() {
		l = compilable(l)
		for name := range strings.FieldsSeq(l.names) {
			named[name] = l
		}
	}
	return named
})

// unknown has what many languages have in common.
var unknown = sync.OnceValue(func() Language {
	return compilable(Language{
		layout: true, middle: "end",
		forms: []form{
			slashComment, hashComment, dashComment,
			{begin: ";;", is: comment | oneLine},
			starComment,
		},
		function: `^(?:\w+ )*(?:func|def|fn|fun|sub|function|it|test|proc)\b.?["\w]`,
	})
})

// IsMarkdown reports whether the headings of a text show its blocks.
func (l Language) IsMarkdown() bool { return l.headings }

func knownLanguages() []Language {
	regular := form{
		first: "/", pattern: `/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])+/`, is: whole | operand,
	}
	script := Language{
		forms: []form{
			slashComment, starComment, double, single, regular,
			{begin: "`", end: "`", is: escapes | code},
		},
		isScript: true, newline: true, paren: true,
		types:    "class interface enum namespace module type",
		control:  "with import",
		function: `\bfunction ?\*? ?[\w$]|^[^(=]*[=:].*(?:=>|\bfunction\b)`,
	}
	javaScript, typeScript := script, script
	javaScript.names = ".js .mjs .cjs .jsx .es6"
	typeScript.names = ".ts .tsx .mts .cts"
	return []Language{
		javaScript,
		typeScript,
		{
			names: ".go", forms: []form{slashComment, starComment, double, character, rawBacktick},
			newline: true, function: `^func ?(?:\(\) ?)?\w`,
		},
		{
			names:  ".py .pyi .pyw .pyx .gd SConstruct SConscript",
			forms:  []form{hashComment, tripleDouble, tripleSingle, double, single},
			layout: true, function: `\bdef \w`,
		},
		{
			names: ".rs",
			forms: []form{
				slashComment, starNested, longDouble, character,
				{first: "rb", pattern: `b?r(#*)"`, end: `"$1`},
			},
			control: "match loop unsafe", function: `\bfn \w`,
		},
		{
			names: ".c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .inl .ipp .m .mm .cu .ino .glsl .y .l",
			forms: []form{
				slashComment, starComment, double, character,
				{first: "0123456789", pattern: `[0-9](?:'?\w)*`, is: whole},
				{first: "LRu", pattern: `(?:L|u8?)?R"([^\s()\\]{0,16})\(`, end: `)$1"`},
			},
			directives: true, paren: true, types: "class struct union enum namespace",
			control: "using typedef",
		},
		{
			names: ".cs",
			forms: []form{
				slashComment, starComment, tripleDouble, double, character,
				{first: "@$", pattern: `(?:@\$?|\$@)"`, end: `"`, is: doubled},
			},
			directives: true, paren: true, arrow: true,
			types:   "class struct interface enum namespace record",
			control: "foreach using lock fixed checked unchecked yield await",
		},
		{
			names: ".java .groovy .gradle",
			forms: []form{slashComment, starComment, tripleDouble, double, character},
			paren: true, types: "class interface enum record",
			control: "synchronized assert yield",
		},
		{
			names:   ".kt .kts",
			forms:   []form{slashComment, starNested, tripleDouble, double, backtick, character},
			newline: true, types: "class object interface",
			function: `\bfun\b[^(]*[\w"]|^(?:\w+ )*(?:constructor|init)\b`,
		},
		{
			names:   ".swift",
			forms:   []form{slashComment, starNested, tripleDouble, double, backtick},
			newline: true, conditions: true,
			function: `\bfunc\b|^(?:\w+ )*(?:init|deinit|subscript)\b`,
		},
		{
			names: ".php .phtml .inc",
			forms: []form{
				{first: "/", pattern: `//(?:[^?]|\?+[^?>])*`, is: comment | whole},
				{first: "#", pattern: `#(?:[^?\[]|\?+[^?>])(?:[^?]|\?+[^?>])*|#$`, is: comment | whole},
				{begin: "?>", end: "<?", is: comment | page},
				{first: "<", pattern: `<<<\s*["']?(\w+)["']?`, end: "$1", is: document},
				starComment, longDouble, longSingle,
			},
			isPage: true, function: `\bfunction ?&? ?\w`,
		},
		{
			names: ".rb .rake .gemspec .cr Rakefile Gemfile Vagrantfile",
			forms: []form{
				{begin: "=begin", end: "=end", is: comment | margin},
				{begin: "__END__", end: never, is: comment | margin},
				{
					first: "<", pattern: "<<[-~][\"'`]?([A-Za-z_]\\w*)[\"'`]?|<<[\"'`]?([A-Z_]+)\\b[\"'`]?",
					end: "$1$2", is: document,
				},
				{first: "%", pattern: `%[wWiIqQr]([(\[{<|!])`, end: "$1", is: delimited | escapes},
				{first: "%", pattern: `%([(\[{<|!])`, end: "$1", is: delimited | escapes | operand},
				hashComment, double, single, backtick,
			},
			layout: true, ends: true, function: `\bdef \w`,
			middle: "end rescue ensure else elsif when in",
		},
		{
			names: ".lua",
			forms: []form{
				{first: "-", pattern: `--\[(=*)\[`, end: "]$1]", is: comment},
				{first: "[", pattern: `\[(=*)\[`, end: "]$1]"},
				dashComment, double, single,
			},
			layout: true, middle: "end else elseif until",
			function: `^(?:local )?function \w|^[^(]*[\w\]] ?= ?function\b`,
		},
		{
			names:   ".scala .sc .sbt",
			forms:   []form{slashComment, starNested, tripleDouble, double, backtick, character},
			newline: true, function: `\bdef\b`,
		},
		{
			names: ".dart",
			forms: []form{slashComment, starNested, tripleDouble, tripleSingle, double, single},
			paren: true, arrow: true, types: "class enum mixin extension",
			control: "await yield assert",
		},
		{
			names: ".sh .bash .zsh .ksh .bats PKGBUILD .ebuild configure",
			forms: []form{
				hashComment, longDouble, longSingle,
				{first: "<", pattern: `<<-? *["'\\]?([A-Za-z_]\w*)["']?`, end: "$1", is: document},
			},
			newline: true, shell: true, paren: true, function: `^function\b`,
			control: "until select then elif esac done fi",
		},
		{
			names: ".pl .pm .t .cgi",
			forms: []form{
				{first: "=", pattern: `=[a-zA-Z]`, end: "=cut", is: comment | margin},
				{first: "_", pattern: `__(?:END|DATA)__`, end: never, is: comment | margin},
				{
					first: "qm", pattern: `(?:q[qwr]?|m)(?:([^\w\s,;)}=]|=[^>])|\s+[^\w\s,;)}=#$])`,
					end: "x", is: delimited | noMember | escapes,
				},
				{
					first: "syt", pattern: `(?:s|y|tr)(?:[^\w\s,;)}=]|\s+[^\w\s,;)}=#$])`,
					end: "xx", is: delimited | noMember | escapes,
				},
				{first: "$", pattern: `\$["'/\\&!<>|@#` + "`]", is: whole},
				{
					first: "<", pattern: `<<~?(?: *["']([A-Za-z_]\w*)["']|([A-Z_][A-Z0-9_]*)\b)`,
					end: "$1$2", is: document,
				},
				hashComment, longDouble, longSingle, longBacktick, regular,
			},
			function: `\bsub \w`,
			control:  "split grep map join unless until foreach and or x lt gt eq ne cmp",
		},
		{
			names:    ".ex .exs",
			forms:    []form{hashComment, tripleDouble, tripleSingle, double, single},
			layout:   true,
			function: `^(?:def|defp|defmacro|defmacrop|test)\b`,
			middle:   "end else rescue catch after",
		},
		{
			names: ".sql .pls .plsql .pgsql",
			forms: []form{
				dashComment, starComment, longSingle, longDouble,
				{first: "$", pattern: `\$(\w*)\$`, end: "$$$1$$"},
			},
			begins: true, control: "loop repeat",
			function: `(?i)^create\b.*\b(?:function|procedure|trigger)\b`,
		},
		{
			names: ".css .scss .less",
			forms: []form{
				starComment,
				{first: "/", pattern: `//[^/]`, is: comment | oneLine | spaced},
				double, single,
			},
			any: true,
		},
		{
			names: "Makefile makefile GNUmakefile .mk .mak", forms: []form{hashComment},
			layout: true, any: true, middle: "endef endif else",
		},
		{names: ".json .jsonc .json5", forms: []form{slashComment, starComment, double}},
		{
			names:  ".md .markdown",
			layout: true, headings: true,
			forms: []form{
				{first: "#", pattern: `#{1,6}(?: .*)?$`, is: heading | margin},
				{first: "`", pattern: "(`{3,})[^`]*$", end: "$1", is: document | margin},
				{first: "~", pattern: "(~{3,}).*$", end: "$1", is: document | margin},
			},
		},
	}
}
