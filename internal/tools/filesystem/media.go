package filesystem

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gander/internal/admission"
	"gander/tool"
)

// mediaTypes returns the types of the suffixes that the original knows (section 5).
func mediaTypes() map[string]string {
	return map[string]string{
		".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".bmp": "image/bmp",
		".svg": "image/svg+xml", ".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".flac": "audio/flac",
	}
}

// readMedia answers read_media_file.
func (t *Tool) readMedia(ctx context.Context, c tool.Call) (tool.Result, error) {
	at, err := t.findOnly(ctx, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	f, err := at.open(ctx)
	if err != nil {
		return tool.Result{}, newError(err, "open", at.path)
	}
	defer f.Close()
	limit, limited := c.Budget.DataLimit()
	most := enough(0)
	if limited {
		most = int64(limit) + 1
	}
	if err := admission.ReserveResult(ctx, min(f.Size(), most)); err != nil {
		return tool.Result{}, err
	}
	data, end, err := read(ctx, f, 0, most)
	if err != nil {
		return tool.Result{}, newError(err, "read", at.path)
	}
	if limited && (!end || len(data) > limit) {
		return tool.Result{}, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf("file of %d bytes does not fit the limit of %d bytes of data; raise limits.max_data_bytes", max(f.Size(), int64(len(data))), limit)}
	}
	part := tool.Part{Type: tool.BlobPart, Data: data, MIMEType: "application/octet-stream", URI: fileURI(at.path)}
	if m := mediaTypes()[lower(suffix(at.path))]; m != "" {
		part = tool.Part{Type: tool.ImagePart, Data: data, MIMEType: m}
		if strings.HasPrefix(m, "audio/") {
			part.Type = tool.AudioPart
		}
	}
	return tool.Result{Parts: []tool.Part{part}}, nil
}

// suffix returns what follows the last dot of the name, with the dot, unless that is the first character.
func suffix(path string) string {
	name := filepath.Base(path)
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		return name[dot:]
	}
	return ""
}

// lower returns a suffix with ASCII letters in lower case. No other letter becomes one of a known suffix, as it does in Go.
func lower(suffix string) string {
	b := []byte(suffix)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// fileURI returns the URI of an absolute path.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	var b strings.Builder
	b.WriteString("file://")
	if !strings.HasPrefix(path, "/") {
		b.WriteByte('/')
	}
	for i := range len(path) {
		c := path[i]
		if isLetter(c) || '0' <= c && c <= '9' || strings.IndexByte("/!$&'()*+,-.:;=@_", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// shownEntries returns the hint of an answer that is cut, which says how many entries it shows and what else to do.
func shownEntries(advice string) func(int) string {
	return func(shown int) string { return fmt.Sprintf("%d entries shown; %s", shown, advice) }
}
