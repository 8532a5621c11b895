package workspace

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestRulesReach: where a path starts from, to each system. What is elsewhere or in no root is refused without a look.
func TestRulesReach(t *testing.T) {
	for _, tt := range []struct {
		path                string
		exact, mac, windows reach
	}{
		{"", fromRoot, fromRoot, fromRoot},
		{"a/b", fromRoot, fromRoot, fromRoot},
		{`a\..\..\b`, fromRoot, fromRoot, fromRoot},
		{"~/a", fromRoot, fromRoot, fromRoot},
		{"/a", fromTop, fromTop, elsewhere},
		{`\a`, fromRoot, fromRoot, elsewhere},
		{`/.vol/16777220/2`, fromTop, fromTop, elsewhere},
		{"C:/a", fromRoot, fromRoot, fromTop},
		{`c:\a`, fromRoot, fromRoot, fromTop},
		{"C:", fromRoot, fromRoot, elsewhere},
		{"C:a", fromRoot, fromRoot, elsewhere},
		{`C:..\a`, fromRoot, fromRoot, elsewhere},
		{"1:a", fromRoot, fromRoot, elsewhere},
		{`\\srv\share\a`, fromRoot, fromRoot, fromTop},
		{"//srv/share/a", fromTop, fromTop, fromTop},
		{`\\?\C:\a`, fromRoot, fromRoot, fromTop},
		{`\\.\PhysicalDrive0`, fromRoot, fromRoot, fromTop},
		{"//?/GLOBALROOT/Device", fromTop, fromTop, fromTop},
		{`\??\c:\a`, fromRoot, fromRoot, elsewhere},
		{`\a\..\??\c:\a`, fromRoot, fromRoot, elsewhere},
	} {
		for rules, want := range map[rules]reach{exactRules: tt.exact, darwinRules: tt.mac, windowsRules: tt.windows} {
			if got := rules.reach(rules.slashed(tt.path)); got != want {
				t.Errorf("rules %d: %q starts from %d, want %d", rules, tt.path, got, want)
			}
		}
	}
}

// TestRulesRoots: which absolute paths lie in a root, by words alone.
func TestRulesRoots(t *testing.T) {
	for _, tt := range []struct {
		rules      rules
		root, path string
		want       string // "no" where it does not
	}{
		{windowsRules, `C:\w`, `C:\w\a`, "a"},
		{windowsRules, `C:\w`, `c:/W/./a\b`, `./a/b`},
		{windowsRules, `C:\w`, `C:\x\..\w\a`, "a"},
		{windowsRules, `C:\w`, `C:\w_evil\a`, "no"},
		{windowsRules, `C:\w`, `D:\w\a`, "no"},
		{windowsRules, `C:\w`, `\\?\C:\w\a`, "no"},
		{windowsRules, `C:\w`, `\\.\C:\w\a`, "no"},
		{windowsRules, `C:\w`, `\\localhost\C$\w\a`, "no"},
		{windowsRules, `C:\w`, `\??\C:\w\a`, "no"},
		{windowsRules, `C:\w`, `\w\a`, "no"},
		{windowsRules, `C:\w`, `C:w\a`, "no"},
		{windowsRules, `\`, `\a`, "no"}, // the top of whichever drive is current
		{windowsRules, `\\srv\share`, `//SRV/share/a`, "a"},
		{windowsRules, `\\srv\share`, `\\srv\share2\a`, "no"},
		{windowsRules, `\\srv\share`, `\srv\share\a`, "no"},
		{darwinRules, "/Users/x/w", "/users/X/W/a", "a"},
		{darwinRules, "/Users/caf\u00e9", "/Users/cafe\u0301/a", "a"},
		{darwinRules, "/private/tmp/w", "/tmp/w/a", "no"},
		{darwinRules, "/w", "/.vol/1/2", "no"},
		{exactRules, "/w", "/W/a", "no"},
		{exactRules, "/w", `/w\a`, "no"},
		{exactRules, "/caf\u00e9", "/cafe\u0301", "no"},
	} {
		got := "no"
		if abs := tt.rules.slashed(tt.path); tt.rules.reach(abs) == fromTop {
			if rest, ok := tt.rules.cutRoot(abs, tt.rules.slashed(tt.root)); ok {
				got = rest
			}
		}
		if got != tt.want {
			t.Errorf("rules %d: %q in %q: got %q, want %q", tt.rules, tt.path, tt.root, got, tt.want)
		}
	}
}

// TestRulesStanding: which names mean the entry that is called so. Where names are bytes all do.
func TestRulesStanding(t *testing.T) {
	for _, tt := range []struct {
		names        string // with commas between
		top          bool
		mac, windows standing
	}{
		{"a,README.md,.git,id_rsa,a~b,~,~x,~1x,longer~than8~1,a~1.long,a b, a,comma,lpt10,com1x,nul1,aux-1,COM10,a.con,xCON", false, itself, itself},
		{"CON,con,NUL,nul,PRN,AUX,aux,aux.c,NUL.txt,nul.tar.gz,NUL .txt,COM1,COM1 ,com9,COM0,LPT1,LPT0.x,CONIN$,conout$,CONOUT$.x", false, itself, nothing},
		{"COM\u00b9,COM\u00b2,com\u00b3.log,LPT\u00b2", false, listed, nothing},
		{"f.txt:s,f::$DATA,.git::$INDEX_ALLOCATION,dir:$I30:$INDEX_ALLOCATION,C:,C:a", false, itself, nothing},
		{"a*,a?,<a,>b,\"a\",a|b,a\x01,\x1f,a\x7f,a\nb", false, itself, nothing},
		{"name.,name...,...,AUX.,a ,.. ", false, itself, nothing},
		{"PROGRA~1,progra~1,SECRET~1.PEM,git~1,GIT~1,a~1,ID_RSA~1,AB12F~12.x,~1", false, itself, listed},
		{"..namedfork,..NamedFork", false, nothing, itself},
		{".vol,.VOL,.file,.nofollow,.resolve", true, nothing, itself},
		{".vol,.file,.nofollow,.resolve", false, itself, itself},
		{".\u017fsh,id_r\u017fa,\u212aey,caf\u00e9,cafe\u0301,.\u00dfh,.g\u200cit,\ufb01le,\uff0essh,a\u00a0b,\xff,\u202ea", false, listed, listed},
	} {
		for name := range strings.SplitSeq(tt.names, ",") {
			for rules, want := range map[rules]standing{exactRules: itself, darwinRules: tt.mac, windowsRules: tt.windows} {
				if got := rules.standing(name, tt.top); got != want {
					t.Errorf("rules %d: %q stands as %d, want %d", rules, name, got, want)
				}
			}
		}
	}
}

// TestRulesFold: which spellings are one to each system.
func TestRulesFold(t *testing.T) {
	for _, tt := range []struct {
		a, b                string
		exact, mac, windows bool
	}{
		{"a", "a", true, true, true},
		{".SSH", ".ssh", false, true, true},
		{"NODE_MODULES", "node_modules", false, true, true},
		{".\u017fsh", ".ssh", false, true, true},       // long s
		{"\u212aey.pem", "key.PEM", false, true, true}, // the sign for kelvin
		{"\u00c9", "\u00e9", false, true, true},
		{"\u00e9", "e\u0301", false, true, false},
		{"\u03c3", "\u03c2", false, true, true}, // sigma, and that at the end of words
		{"\u00df", "ss", false, false, false},
		{"a", "\uff41", false, false, false}, // a wide one
		{"\xff", "\xfe", false, false, false},
		{"\xffA", "\xffa", false, true, true},
		{"a.", "a", false, false, false},
	} {
		for rules, want := range map[rules]bool{exactRules: tt.exact, darwinRules: tt.mac, windowsRules: tt.windows} {
			if got := rules.same(tt.a, tt.b); got != want {
				t.Errorf("rules %d: %q and %q are the same: %v", rules, tt.a, tt.b, got)
			}
		}
	}
}

// FuzzRules: whatever the words, names fold apart from one another as they do together, spellings that differ in case alone
// are one where case is ignored, and what lies in a root by its words begins with it.
func FuzzRules(f *testing.F) {
	for _, path := range []string{"a/B", "\u03b1\u03b9", "\xff\\..", "C:/w/x", "..namedfork", "A~1.x", "\u212a\u0301/\u017f\u0307"} {
		f.Add(path, "name")
	}
	f.Fuzz(func(t *testing.T, path, name string) {
		for _, rules := range []rules{exactRules, darwinRules, windowsRules} {
			if rules.fold(path+"/"+name) != rules.fold(path)+"/"+rules.fold(name) {
				t.Errorf("rules %d: %q and %q fold otherwise together", rules, path, name)
			}
			if rules != exactRules && utf8.ValidString(name) && !rules.same(name, strings.ToLower(name)) && strings.EqualFold(name, strings.ToLower(name)) {
				t.Errorf("rules %d: %q is not what it is in small letters", rules, name)
			}
			slashed := rules.slashed(path)
			if name != "" && !strings.ContainsAny(name, `/\`) && name != "." && name != ".." {
				if standing := rules.standing(name, true); rules == exactRules && standing != itself {
					t.Errorf("%q stands as %d", name, standing)
				}
			}
			if rules.reach(slashed) != fromTop {
				continue
			}
			rest, ok := rules.cutRoot(slashed+"/"+rules.slashed(name), slashed)
			if !ok && !strings.Contains("/"+slashed+"/", "/./") && !strings.Contains("/"+slashed+"/", "/../") {
				t.Errorf("rules %d: %q does not begin with itself", rules, slashed)
			}
			if ok && strings.HasPrefix(rest, "/") {
				t.Errorf("rules %d: %q is left of %q", rules, rest, slashed)
			}
		}
	})
}
