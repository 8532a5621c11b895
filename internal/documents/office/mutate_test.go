package office

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/officefiles"
)

// TestMutated changes valid documents in ways that keep them readable for the most part, and checks
// what holds for all documents. See check.
func TestMutated(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 4
	}
	all := samples(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(len(all[name])), 1))
			for range rounds {
				check(t, name, mutated(random, all[name]))
			}
		})
	}
}

// mutated returns a document with a few changes.
func mutated(random *rand.Rand, content []byte) []byte {
	names, contents := unzipped(content)
	if len(names) == 0 {
		return mutatedText(random, content)
	}
	changed := random.IntN(len(names))
	var entries []string
	for i, entry := range contents {
		isMarkup := bytes.HasPrefix(entry, []byte("<"))
		switch {
		case i == changed && random.IntN(4) == 0:
			continue
		case isMarkup && (i == changed || random.IntN(3) == 0):
			entry = mutatedMarkup(random, entry)
		case i == changed:
			entry = mutatedText(random, entry)
		}
		entries = append(entries, names[i], string(entry))
	}
	return officefiles.Archive(entries...)
}

// unzipped returns the entries of an archive, or none of another file.
func unzipped(content []byte) (names []string, contents [][]byte) {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, nil
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			panic(err)
		}
		entry, err := io.ReadAll(r)
		if err != nil {
			panic(err)
		}
		names, contents = append(names, f.Name), append(contents, entry)
	}
	return names, contents
}

// piece matches a tag, a value in a tag, or a text.
var piece = regexp.MustCompile(`<[^>]*>|[^<]+`)

var value = regexp.MustCompile(`"[^"]*"`)

// mutatedMarkup returns markup in which elements, values and texts are changed.
func mutatedMarkup(random *rand.Rand, content []byte) []byte {
	pieces := piece.FindAllString(string(content), -1)
	values := []string{
		`""`, `"0"`, `"-1"`, `"1"`, `"2"`, `"9"`, `"255"`, `"1048577"`, `"99999999999999999999"`, `"true"`, `"a/../b"`,
		`"title"`, `"` + strings.Repeat("long ", 20<<10) + `"`,
	}
	texts := []string{"", " ", "\n", "0", "1e999", "&amp;", "&#0;", "]]>", "\xff", "é\u2028", strings.Repeat("w ", 70<<10)}
	for range 1 + random.IntN(8) {
		i := random.IntN(len(pieces))
		p := pieces[i]
		isTag := strings.HasPrefix(p, "<")
		switch random.IntN(6) {
		case 0:
			pieces[i] = ""
		case 1:
			pieces[i] = p + p
		case 2: // an element without an end that follows later, and the other way round
			j := random.IntN(len(pieces))
			pieces[i], pieces[j] = pieces[j], pieces[i]
		case 3:
			if !isTag {
				pieces[i] = texts[random.IntN(len(texts))]
			}
		default:
			if at := value.FindAllStringIndex(p, -1); isTag && len(at) > 0 {
				v := at[random.IntN(len(at))]
				pieces[i] = p[:v[0]] + values[random.IntN(len(values))] + p[v[1]:]
			}
		}
	}
	return []byte(strings.Join(pieces, ""))
}

// mutatedText returns content of which bytes are changed, repeated or missing.
func mutatedText(random *rand.Rand, content []byte) []byte {
	content = bytes.Clone(content)
	for range 1 + random.IntN(8) {
		if len(content) == 0 {
			break
		}
		at := random.IntN(len(content))
		end := min(at+random.IntN(64), len(content))
		switch random.IntN(4) {
		case 0:
			content[at] = byte(random.Uint32())
		case 1:
			content = slices.Insert(content, at, bytes.Clone(content[at:end])...)
		case 2:
			content = slices.Delete(content, at, end)
		case 3:
			content[at] = `"{}[],:0\`[random.IntN(9)]
		}
	}
	return content
}
