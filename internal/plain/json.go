package plain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
)

// data is text, or the bytes of other data in base64.
type data struct {
	Text  *string `json:"text,omitempty"`
	Bytes []byte  `json:"bytes,omitempty"`
}

func dataOf(text string) data {
	if !utf8.ValidString(text) {
		return data{Bytes: []byte(text)}
	}
	return data{Text: &text}
}

type envelope struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

// A jsonWriter writes objects in the form of rg --json.
type jsonWriter struct {
	out    *buffer
	path   string // of the file whose lines are being written
	isOpen bool   // the object that begins the file is written, and the one that ends it is not
	stats  stats
}

func (w *jsonWriter) object(kind string, content any) {
	_, _ = w.out.write(encode(envelope{kind, content}))
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

// kinds are the names of the kinds of entries. Others are "other".
var kinds = map[workspace.EntryKind]string{
	workspace.Regular: "file", workspace.Directory: "directory", workspace.Symlink: "symlink",
}

func (w *jsonWriter) entry(e Entry) {
	object := jsonEntry{Path: dataOf(e.Path), Kind: cmp.Or(kinds[e.Kind], "other")}
	if e.Info != nil {
		object.Bytes, object.Modified = &e.Info.Size, timeText(e.Info.ModTime)
	}
	w.object("entry", object)
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

// maxLine is the maximum size of a line in an object.
const maxLine = 4 << 20

// line writes a line, after the object that begins its file. Since a line can have more matches
// than fit in memory, it writes each match when it is found. An error of a match ends the object.
func (w *jsonWriter) line(
	path string, l search.Line, spans iter.Seq2[match.Span, error],
) error {
	if l.Length > maxLine {
		return fmt.Errorf("line %d is too long for --json", l.Number)
	}
	text, err := part(l, match.Span{End: l.Length})
	if err != nil {
		return err
	}
	w.beginFile(path)
	kind := "context"
	if !l.Context {
		kind = "match"
		w.stats.MatchedLines++
	}
	const end = "]}}\n"
	head := encode(envelope{kind, jsonLine{
		Path: dataOf(path), Lines: dataOf(string(text) + "\n"),
		Number: l.Number, Offset: l.Offset, Submatches: []submatch{},
	}})
	_, _ = w.out.write(bytes.TrimSuffix(head, []byte(end)))
	err = w.submatches(text, spans)
	_, _ = w.out.write([]byte(end))
	return err
}

// submatches writes the elements of a line's list of matches.
func (w *jsonWriter) submatches(text []byte, spans iter.Seq2[match.Span, error]) error {
	separator := ""
	for s, err := range spans {
		if err != nil {
			return err
		}
		if s.End > int64(len(text)) { // the file has become shorter since its matches were found
			return nil
		}
		element := encode(submatch{dataOf(string(text[s.Start:s.End])), s.Start, s.End})
		_, err = w.out.write([]byte(separator + string(bytes.TrimSuffix(element, []byte("\n")))))
		if err != nil {
			return nil
		}
		separator = ","
		w.stats.Matches++
	}
	return nil
}

// beginFile ends the current file, if it is another, and writes the object that begins a file.
func (w *jsonWriter) beginFile(path string) {
	if w.isOpen && w.path == path {
		return
	}
	w.endFile()
	w.path, w.isOpen = path, true
	w.stats.SearchesWithMatch++
	w.object("begin", map[string]data{"path": dataOf(path)})
}

// endFile writes the object that ends the current file, if any.
func (w *jsonWriter) endFile() {
	if w.isOpen {
		w.object("end", jsonEnd{Path: dataOf(w.path)})
	}
	w.isOpen = false
}

// summary ends the results of a search of a number of files.
func (w *jsonWriter) summary(files int) {
	w.endFile()
	w.stats.Searches = files
	w.object("summary", map[string]stats{"stats": w.stats})
}
