//go:build linux

package data

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func small(t *testing.T) Set {
	t.Helper()
	s := Set{Dir: filepath.Join(t.TempDir(), "new"), WideNames: 30, MediumNames: 3, Packages: 1, Lines: 1300, TextFiles: 300, Requests: 100}
	if err := s.Make(func(string) {}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMake(t *testing.T) {
	s := small(t)
	for _, c := range []struct {
		path        string
		directories int
		files       int
	}{
		{s.Empty(), 1, 0},
		{s.Small(), 1, 24},
		{s.Medium(), 1, 3},
		{s.Wide(), 1, 30},
		{s.Files(), 5, 300},
	} {
		if directories, files := count(t, c.path); directories != c.directories || files != c.files {
			t.Errorf("%s has %d directories and %d files, want %d and %d", c.path, directories, files, c.directories, c.files)
		}
	}
	text, err := os.ReadFile(s.Text())
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n != s.Lines || text[len(text)-1] != '\n' {
		t.Errorf("%s has %d lines, want %d", s.Text(), n, s.Lines)
	}
	log, err := os.ReadFile(s.Log())
	if n := bytes.Count(log, []byte("\n")); err != nil || n != s.Requests || len(log)/n < 100 || len(log)/n > 130 {
		t.Errorf("%s has %d bytes in %d lines, %v", s.Log(), len(log), n, err)
	}
	if mean := len(text) / s.Lines; mean < 80 || mean > 90 {
		t.Errorf("a line of %s has %d bytes on average, want about 85", s.Text(), mean)
	}
}

func TestMonoHasTheStatedShape(t *testing.T) {
	const packages = 9
	path := filepath.Join(t.TempDir(), "mono")
	if err := makeMono(path, packages); err != nil {
		t.Fatal(err)
	}
	directories, files := count(t, path)
	directories -= 11 // the groups, and what holds them
	if d := directories / packages; d < 46 || d > 48 {
		t.Errorf("a package has %d directories, want about 47", d)
	}
	if n := (directories + files) / packages; n < 1100 || n > 1140 {
		t.Errorf("a package has %d entries, want about 1120", n)
	}
}

// TestMakeAgain: Make makes data once, and never touches what is not its data.
func TestMakeAgain(t *testing.T) {
	s := small(t)
	if err := s.Make(func(made string) { t.Errorf("second Make: %s", made) }); err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(s.Empty()); err != nil {
		t.Fatal(err)
	}
	made := ""
	if err := s.Make(func(m string) { made += m }); err != nil || made != "making "+s.Empty() {
		t.Errorf("Make after the removal of one part said %q and returned %v", made, err)
	}
	s.WideNames++
	if err := s.Make(func(string) {}); err == nil || !strings.Contains(err.Error(), s.Wide()) {
		t.Errorf("Make of another scale in the same place: %v, want an error that names %s", err, s.Wide())
	}
	if _, files := count(t, s.Wide()); files != 30 {
		t.Errorf("%s was touched", s.Wide())
	}
}

func TestTextIsDeterministic(t *testing.T) {
	var texts [2][]byte
	for i := range texts {
		path := filepath.Join(t.TempDir(), "text")
		err := makeText(path, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if texts[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("two texts of the same length differ")
	}
}

func TestAt(t *testing.T) {
	if s, err := At("d", "tenth"); err != nil || s.WideNames != 100_000 || s.Lines != 2_507_200 {
		t.Errorf("At tenth: %+v, %v", s, err)
	}
	if _, err := At("d", "half"); err == nil {
		t.Error("At accepts an unknown scale")
	}
}

func count(t *testing.T, path string) (directories, files int) {
	t.Helper()
	err := filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			directories++
		default:
			files++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return directories, files
}
