package workspace

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPathKind checks which paths are relative on each system.
func TestPathKind(t *testing.T) {
	for _, tt := range []struct {
		path                string
		exact, mac, windows bool
	}{
		{"", true, true, true},
		{"a/b", true, true, true},
		{`a\..\..\b`, true, true, true},
		{"~/a", true, true, true},
		{"/a", false, false, false},
		{`\a`, true, true, false},
		{`/.vol/16777220/2`, false, false, false},
		{"C:/a", true, true, false},
		{`c:\a`, true, true, false},
		{"C:", true, true, false},
		{"C:a", true, true, false},
		{`C:..\a`, true, true, false},
		{"1:a", true, true, false},
		{`\\srv\share\a`, true, true, false},
		{"//srv/share/a", false, false, false},
		{`\\?\C:\a`, true, true, false},
		{`\\.\PhysicalDrive0`, true, true, false},
		{"//?/GLOBALROOT/Device", false, false, false},
		{`\??\c:\a`, true, true, false},
		{`\a\..\??\c:\a`, true, true, false},
	} {
		for semantics, want := range map[pathSemantics]bool{
			exactSemantics: tt.exact, darwinSemantics: tt.mac, windowsSemantics: tt.windows,
		} {
			if got := semantics.isRelative(semantics.slashed(tt.path)); got != want {
				t.Errorf("semantics %d: %q is relative: %v, want %v", semantics, tt.path, got, want)
			}
		}
	}
}

// TestRootPaths checks the paths of a root and of its entries, which must belong to the root.
func TestRootPaths(t *testing.T) {
	for _, tt := range []struct {
		semantics               pathSemantics
		given, root, up, joined string
	}{
		{exactSemantics, "/", "/", "/", "/d/f"},
		{exactSemantics, "/w/", "/w", "/", "/w/d/f"},
		{exactSemantics, "/v/w", "/v/w", "/v", "/v/w/d/f"},
		{windowsSemantics, `C:\`, "C:/", "C:", "C:/d/f"},
		{windowsSemantics, `C:\w`, "C:/w", "C:", "C:/w/d/f"},
		{windowsSemantics, `\\srv\share\`, "//srv/share", "//srv", "//srv/share/d/f"},
		{windowsSemantics, `\\srv\share`, "//srv/share", "//srv", "//srv/share/d/f"},
		{windowsSemantics, `\\?\C:\x`, "//?/C:/x", "//?/C:", "//?/C:/x/d/f"},
		{windowsSemantics, `\\?\C:\`, "//?/C:/", "//?/C:", "//?/C:/d/f"},
	} {
		root := tt.semantics.trimRoot(tt.semantics.slashed(tt.given))
		up, joined := parentPath(root), joinPath(root, "d/f")
		if root != tt.root || up != tt.up || joined != tt.joined || joinPath(root, ".") != root {
			t.Errorf("%s: root %s, up %s, joined %s", tt.given, root, up, joined)
		}
		for _, p := range []string{
			joined, up + "/" + root[strings.LastIndexByte(root, '/')+1:] + "/d/f",
		} {
			if rest, ok := tt.semantics.cutRoot(p, root); tt.given != "/" && (!ok || rest != "d/f") {
				t.Errorf("%s: %s is not below it", tt.given, p)
			}
		}
	}
}

// TestCutRoot checks whether absolute paths are lexically in a root.
func TestCutRoot(t *testing.T) {
	for _, tt := range []struct {
		semantics  pathSemantics
		root, path string
		want       string // or "no"
	}{
		{windowsSemantics, `C:\w`, `C:\w\a`, "a"},
		{windowsSemantics, `C:\w`, `c:/W/./a\b`, `./a/b`},
		{windowsSemantics, `C:\w`, `C:\x\..\w\a`, "a"},
		{windowsSemantics, `C:\w`, `C:\w_evil\a`, "no"},
		{windowsSemantics, `C:\w`, `D:\w\a`, "no"},
		{windowsSemantics, `C:\w`, `\\?\C:\w\a`, "no"},
		{windowsSemantics, `C:\w`, `\\.\C:\w\a`, "no"},
		{windowsSemantics, `C:\w`, `\\localhost\C$\w\a`, "no"},
		{windowsSemantics, `C:\w`, `\??\C:\w\a`, "no"},
		{windowsSemantics, `C:\w`, `\w\a`, "no"},
		{windowsSemantics, `C:\w`, `C:w\a`, "no"},
		{windowsSemantics, `\\srv\share`, `//SRV/share/a`, "a"},
		{windowsSemantics, `\\srv\share`, `\\srv\share2\a`, "no"},
		{windowsSemantics, `\\srv\share`, `\srv\share\a`, "no"},
		{darwinSemantics, "/Users/x/w", "/users/X/W/a", "a"},
		{darwinSemantics, "/Users/caf\u00e9", "/Users/cafe\u0301/a", "a"},
		{darwinSemantics, "/private/tmp/w", "/tmp/w/a", "no"},
		{darwinSemantics, "/w", "/.vol/1/2", "no"},
		{exactSemantics, "/w", "/W/a", "no"},
		{exactSemantics, "/w", `/w\a`, "no"},
		{exactSemantics, "/caf\u00e9", "/cafe\u0301", "no"},
	} {
		got := "no"
		slashed := tt.semantics.slashed
		if rest, ok := tt.semantics.cutRoot(slashed(tt.path), slashed(tt.root)); ok {
			got = rest
		}
		if got != tt.want {
			t.Errorf("semantics %d: %q in %q: got %q, want %q", tt.semantics, tt.path, tt.root, got, tt.want)
		}
	}
}

// TestNameClass checks the classes of names. With exactSemantics, all names are ordinary.
func TestNameClass(t *testing.T) {
	for _, tt := range []struct {
		names        string // separated by commas
		top          bool
		mac, windows nameClass
	}{
		{
			"a,README.md,.git,id_rsa,longer~than8~1,a~1.long,a b, a,comma,lpt10,com1x,nul1,aux-1,COM10," +
				"a.con,xCON",
			false, ordinaryName, ordinaryName,
		},
		{
			"CON,con,NUL,nul,PRN,AUX,aux,aux.c,NUL.txt,nul.tar.gz,NUL .txt,COM1,COM1 ,com9,COM0,LPT1," +
				"LPT0.x,CONIN$,conout$,CONOUT$.x",
			false, ordinaryName, invalidName,
		},
		{"COM\u00b9,COM\u00b2,com\u00b3.log,LPT\u00b2", false, ambiguousName, invalidName},
		{
			"f.txt:s,f::$DATA,.git::$INDEX_ALLOCATION,dir:$I30:$INDEX_ALLOCATION,C:,C:a", false,
			ordinaryName, invalidName,
		},
		{"a*,a?,<a,>b,\"a\",a|b,a\x01,\x1f,a\x7f,a\nb", false, ordinaryName, invalidName},
		{"name.,name...,...,AUX.,a ,.. ", false, ordinaryName, invalidName},
		{
			"PROGRA~1,progra~1,SECRET~1.PEM,git~1,GIT~1,a~1,ID_RSA~1,AB12F~12.x,~1,ID_R~1LN,SSH~~RJI,a~b," +
				"~,~x,~1x,a.b~1",
			false, ordinaryName, ambiguousName,
		},
		{"..namedfork,..NamedFork", false, invalidName, ordinaryName},
		{".vol,.VOL,.file,.nofollow,.resolve", true, invalidName, ordinaryName},
		{".vol,.file,.nofollow,.resolve", false, ordinaryName, ordinaryName},
		{
			".\u017fsh,id_r\u017fa,\u212aey,caf\u00e9,cafe\u0301,.\u00dfh,.g\u200cit,\ufb01le,\uff0essh," +
				"a\u00a0b,\xff,\u202ea",
			false, ambiguousName, ambiguousName,
		},
	} {
		for name := range strings.SplitSeq(tt.names, ",") {
			for semantics, want := range map[pathSemantics]nameClass{
				exactSemantics: ordinaryName, darwinSemantics: tt.mac, windowsSemantics: tt.windows,
			} {
				if got := semantics.classify(name, tt.top); got != want {
					t.Errorf("semantics %d: %q stands as %d, want %d", semantics, name, got, want)
				}
			}
		}
	}
}

// TestFold checks whether two spellings are the same name on each system.
func TestFold(t *testing.T) {
	for _, tt := range []struct {
		a, b                string
		exact, mac, windows bool
	}{
		{"a", "a", true, true, true},
		{".SSH", ".ssh", false, true, true},
		{"NODE_MODULES", "node_modules", false, true, true},
		{".\u017fsh", ".ssh", false, true, true},       // long s
		{"\u212aey.pem", "key.PEM", false, true, true}, // kelvin sign
		{"\u00c9", "\u00e9", false, true, true},
		{"\u00e9", "e\u0301", false, true, false},
		{"\u03c3", "\u03c2", false, true, true}, // sigma and final sigma
		{"\u00df", "ss", false, false, false},
		{"a", "\uff41", false, false, false}, // fullwidth
		{"\xff", "\xfe", false, false, false},
		{"\xffA", "\xffa", false, true, true},
		{"a.", "a", false, false, false},
	} {
		for semantics, want := range map[pathSemantics]bool{
			exactSemantics: tt.exact, darwinSemantics: tt.mac, windowsSemantics: tt.windows,
		} {
			if got := semantics.same(tt.a, tt.b); got != want {
				t.Errorf("semantics %d: %q and %q are the same: %v", semantics, tt.a, tt.b, got)
			}
		}
	}
}

// FuzzSemantics checks that a path folds like its components, that case is ignored if the system
// ignores it, and that a path is below its own parent.
func FuzzSemantics(f *testing.F) {
	for _, path := range []string{
		"a/B", "\u03b1\u03b9", "\xff\\..", "C:/w/x", "..namedfork", "A~1.x", "\u212a\u0301/\u017f\u0307",
	} {
		f.Add(path, "name")
	}
	f.Fuzz(func(t *testing.T, path, name string) {
		for _, semantics := range []pathSemantics{exactSemantics, darwinSemantics, windowsSemantics} {
			if semantics.fold(path+"/"+name) != semantics.fold(path)+"/"+semantics.fold(name) {
				t.Errorf("semantics %d: %q and %q fold otherwise together", semantics, path, name)
			}
			if semantics != exactSemantics && utf8.ValidString(name) &&
				!semantics.same(name, strings.ToLower(name)) && strings.EqualFold(name, strings.ToLower(name)) {
				t.Errorf("semantics %d: %q is not what it is in small letters", semantics, name)
			}
			slashed := semantics.slashed(path)
			if name != "" && !strings.ContainsAny(name, `/\`) && name != "." && name != ".." {
				if class := semantics.classify(name, true); semantics == exactSemantics &&
					class != ordinaryName {
					t.Errorf("%q is of class %d", name, class)
				}
			}
			if semantics.isRelative(slashed) {
				continue
			}
			rest, ok := semantics.cutRoot(slashed+"/"+semantics.slashed(name), slashed)
			if !ok && !strings.Contains("/"+slashed+"/", "/./") &&
				!strings.Contains("/"+slashed+"/", "/../") {
				t.Errorf("semantics %d: %q does not begin with itself", semantics, slashed)
			}
			if ok && strings.HasPrefix(rest, "/") {
				t.Errorf("semantics %d: %q is left of %q", semantics, rest, slashed)
			}
		}
	})
}
