package plain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"gander/internal/files/workspace"
)

// data is text, or the bytes of other data in base64.
type data struct {
	Text  *string `json:"text,omitempty"`
	Bytes []byte  `json:"bytes,omitempty"`
}

func dataOf(b []byte) data {
	if !utf8.Valid(b) {
		return data{Bytes: b}
	}
	text := string(b)
	return data{Text: &text}
}

type envelope struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

// object writes an object in the form of rg --json.
func (o *Output) object(kind string, content any) error {
	_, err := o.Write(encode(envelope{kind, content}))
	return err
}

// encode returns a value, which must have an encoding, and a line feed.
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return b.Bytes()
}

type jsonEntry struct {
	Path     data   `json:"path"`
	Kind     string `json:"kind"`
	Bytes    *int64 `json:"bytes,omitempty"`
	Modified string `json:"modified,omitempty"`
}

func entryObject(e Entry) jsonEntry {
	kinds := map[workspace.EntryKind]string{
		workspace.Regular: "file", workspace.Directory: "directory", workspace.Symlink: "symlink",
	}
	object := jsonEntry{Path: dataOf([]byte(e.Path)), Kind: kinds[e.Kind]}
	if object.Kind == "" {
		object.Kind = "other"
	}
	if e.Info != nil {
		object.Modified = timeText(e.Info.ModTime)
		object.Bytes = &e.Info.Size
	}
	return object
}

type jsonLine struct {
	Path       data       `json:"path"`
	Lines      data       `json:"lines"`
	Number     int        `json:"line_number"`
	Offset     int64      `json:"absolute_offset"`
	Submatches []submatch `json:"submatches"`
}

type submatch struct {
	Match data  `json:"match"`
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

type jsonEnd struct {
	Path         data   `json:"path"`
	BinaryOffset *int64 `json:"binary_offset"` // unknown
}

type stats struct {
	Searches          int `json:"searches"`
	SearchesWithMatch int `json:"searches_with_match"`
	MatchedLines      int `json:"matched_lines"`
	Matches           int `json:"matches"`
}

// lineObject writes a line, after the object that begins its file. Since a line can have more matches
// than fit in memory, it writes each match when it is found. An error of a match ends the object.
func (o *Output) lineObject(l Line) error {
	if l.Rest != nil {
		return fmt.Errorf("line %d is too long for --json", l.Number)
	}
	if o.last == 0 || o.path != l.Path {
		o.endFile()
		o.stats.SearchesWithMatch++
		begin := map[string]data{"path": dataOf([]byte(l.Path))}
		if err := o.object("begin", begin); err != nil {
			return err
		}
	}
	o.path, o.last = l.Path, l.Number
	kind, object := "context", jsonLine{
		Path: dataOf([]byte(l.Path)), Lines: dataOf(slices.Concat(l.Text, []byte("\n"))),
		Number: l.Number, Offset: l.Offset, Submatches: []submatch{},
	}
	if !l.Context {
		kind = "match"
		o.stats.MatchedLines++
	}
	const end = "]}}\n"
	head := bytes.TrimSuffix(encode(envelope{kind, object}), []byte(end))
	if _, err := o.Write(head); err != nil {
		return err
	}
	failed := o.submatches(l)
	_, err := o.Write([]byte(end))
	return cmp.Or(err, failed)
}

// submatches writes the elements of a line's list of matches.
func (o *Output) submatches(l Line) error {
	separator := ""
	for s, err := range l.spans() {
		if err != nil {
			return err
		}
		element := encode(submatch{dataOf(l.Text[s.Start:s.End]), s.Start, s.End})
		_, err = o.Write(append([]byte(separator), bytes.TrimSuffix(element, []byte("\n"))...))
		if err != nil {
			return err
		}
		separator = ","
		o.stats.Matches++
	}
	return nil
}

// endFile writes the object that ends the current file, if any.
func (o *Output) endFile() {
	if o.last > 0 {
		_ = o.object("end", jsonEnd{Path: dataOf([]byte(o.path))}) // an error is kept
	}
	o.last = 0
}
