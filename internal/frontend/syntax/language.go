package syntax

import "strings"

// A language is what it takes to tell the kinds apart.
type language struct {
	names    string // file names, extensions and interpreters, in lower case
	comment  string // what begins a comment that ends with the line
	pairs    []pair // the first that fits counts
	keywords string
	fold     bool // keywords are written in any case
}

// A pair is what begins and ends a string or a comment.
type pair struct {
	begin, end string
	escape     bool // a backslash takes the character after it along
	lines      bool // it may go on in the next line
	comment    bool
}

func (p *pair) kind() Kind {
	if p.comment {
		return Comment
	}
	return String
}

// find returns the language with that name, nil where there is none.
func find(name string) *language {
	for _, l := range languages() {
		for n := range strings.FieldsSeq(l.names) {
			if n == name {
				return &l
			}
		}
	}
	return nil
}

func languages() []language {
	double, single := pair{`"`, `"`, true, false, false}, pair{`'`, `'`, true, false, false}
	back, raw := pair{"`", "`", true, true, false}, pair{"`", "`", false, true, false}
	slash, markup := pair{"/*", "*/", false, true, true}, pair{"<!--", "-->", false, true, true}
	triple, triple1 := pair{`"""`, `"""`, true, true, false}, pair{`'''`, `'''`, true, true, false}
	long := pair{`"`, `"`, true, true, false}
	c := []pair{slash, double, single}
	return []language{
		{"go mod", "//", []pair{slash, raw, double, single}, "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var module require replace exclude retract tool nil true false iota", false},
		{"c h cc cpp cxx hpp hh hxx m mm ino cu proto glsl", "//", c, "auto break case char class const constexpr continue default delete do double else enum explicit extern false float for friend goto if inline int long mutable namespace new nullptr operator private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while bool message package import option optional repeated", false},
		{"java kt kts scala cs swift dart groovy gradle", "//", append([]pair{triple}, c...), "abstract as async await base boolean break by byte case catch char class companion const continue data def default defer delegate do double else enum extends extension false final finally float for foreach fun func get guard if implements import in init int interface internal is lateinit let long namespace native new nil null object open operator out override package private protected protocol public readonly record ref return sealed self set short static string struct super switch this throw throws trait true try type typealias val var virtual void when where while yield", false},
		{"js jsx mjs cjs ts tsx mts cts vue svelte node deno bun", "//", []pair{slash, back, double, single}, "abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface keyof let namespace never new null number of private protected public readonly return satisfies set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield", false},
		{"rs", "//", []pair{slash, {`r#"`, `"#`, false, true, false}, long, {`b'`, `'`, true, false, false}}, "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64", false},
		{"py pyi pyw bzl star build.bazel build workspace python", "#", []pair{triple, triple1, double, single}, "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield", false},
		{"rb rake gemfile rakefile gemspec podfile ruby", "#", []pair{long, {`'`, `'`, true, true, false}, {"=begin", "=end", false, true, true}}, "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require", false},
		{"sh bash zsh ksh dash fish .bashrc .zshrc .profile .bash_profile", "#", []pair{long, {`'`, `'`, false, true, false}}, "if then else elif fi case esac for select while until do done in function return local export readonly declare set unset shift exit break continue trap source alias", false},
		{"makefile mk gnumakefile justfile", "#", []pair{double, single}, "include ifeq ifneq ifdef ifndef else endif define endef export unexport override vpath", false},
		{"dockerfile containerfile", "#", []pair{double, single}, "from run cmd label expose env add copy entrypoint volume user workdir arg onbuild stopsignal healthcheck shell as", true},
		{"php", "// #", c, "abstract and array as break case catch class clone const continue declare default do echo else elseif enum extends false final finally fn for foreach function global if implements include instanceof interface match namespace new null or private protected public readonly require return static switch throw trait true try use var while yield", false},
		{"lua", "--", []pair{{"--[[", "]]", false, true, true}, {"[[", "]]", false, true, false}, double, single}, "and break do else elseif end false for function goto if in local nil not or repeat return then true until while", false},
		{"sql ddl psql", "--", []pair{slash, {`'`, `'`, false, true, false}}, "add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists foreign from full function group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then trigger union unique update using values view when where with", true},
		{"hs elm purs", "--", []pair{{"{-", "-}", false, true, true}, double}, "as case class data default deriving do else foreign forall hiding if import in infix infixl infixr instance let module newtype of qualified then type where", false},
		{"zig", "//", []pair{double, single}, "align allowzero and anytype asm async await break catch comptime const continue defer else enum errdefer error export extern false fn for if inline null or orelse packed pub resume return struct suspend switch test true try undefined union unreachable usingnamespace var volatile while", false},
		{"ex exs erl hrl", "# %", []pair{triple, double, single}, "after alias and case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else end false fn for if import in nil not or quote raise receive require rescue return true try unless unquote use when with", false},
		{"pl pm r jl awk perl rscript julia", "#", []pair{double, single}, "and begin break catch const do else elseif elsif end export false finally for foreach function global if import in last let library local macro module my next not or our package print require return struct sub then true try unless until use using while BEGIN END NULL TRUE FALSE", false},
		{"tf hcl nix", "#", []pair{slash, long}, "true false null for in if let with rec inherit import resource variable output module data provider locals", false},
		{"css scss less", "", c, "important media import charset supports keyframes include mixin extend", false},
		{"html htm xml svg xhtml xsl plist", "", []pair{markup, {`="`, `"`, false, true, false}, {`='`, `'`, false, true, false}}, "", false},
		{"json jsonc json5 webmanifest geojson", "//", []pair{slash, double}, "true false null", false},
		{"yaml yml", "#", []pair{double, {`'`, `'`, false, false, false}}, "true false null yes no on off", false},
		{"toml lock", "#", []pair{triple, triple1, double, {`'`, `'`, false, false, false}}, "true false inf nan", false},
		{"ini cfg conf properties env editorconfig service desktop .gitconfig .gitignore .dockerignore .gitattributes .env .npmrc", "# ;", []pair{double}, "true false yes no on off", true},
		{"tex sty bib", "%", nil, "", false},
		{"vim .vimrc", "", []pair{single}, "let set if else elseif endif for endfor while endwhile function endfunction return call command autocmd augroup map noremap", false},
		{"lisp el clj cljs cljc edn scm rkt", ";", []pair{long}, "and case cond def defn defmacro defun defvar define do else false fn if import in lambda let let* letfn loop nil not ns or quote recur require setq true when while", false},
	}
}
