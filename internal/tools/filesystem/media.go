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

// maxMediaBytes is the maximum size of a file, whatever limit the caller sets.
const maxMediaBytes = 64 << 20

// readMedia runs read_media_file.
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
	most, advice := maxMediaBytes, ""
	if limit := c.Budget.MaxDataBytes; limit != nil && *limit < most {
		most, advice = *limit, "; raise limits.max_data_bytes"
	}
	tooLarge := func(size int64) error {
		message := fmt.Sprintf("file of %d bytes does not fit the limit of %d bytes of data", size, most)
		return &tool.Error{Kind: tool.Failed, Message: message + advice}
	}
	if f.Size() > int64(most) {
		return tool.Result{}, tooLarge(f.Size())
	}
	if err := admission.ReserveResult(ctx, f.Size()); err != nil {
		return tool.Result{}, err
	}
	data, end, err := read(ctx, f, 0, int64(most)+1)
	switch {
	case err != nil:
		return tool.Result{}, newError(err, "read", at.path)
	case !end || len(data) > most:
		return tool.Result{}, tooLarge(int64(len(data)))
	case int64(len(data)) < f.Size():
		return tool.Result{}, &tool.Error{
			Kind:    tool.Failed,
			Message: at.path + ": the file has become shorter while it was read; read it again",
		}
	}
	part := tool.Part{Data: data, MIMEType: mediaTypes()[lower(suffix(at.path))]}
	if part.MIMEType == "" {
		part.MIMEType, part.URI = "application/octet-stream", fileURI(at.path)
	}
	return tool.Result{Parts: []tool.Part{part}}, nil
}

// suffix returns what follows the last dot of the name, with the dot, unless that is the first
// character.
func suffix(path string) string {
	name := filepath.Base(path)
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		return name[dot:]
	}
	return ""
}

// lower returns a suffix with ASCII letters in lower case. No other letter becomes one of a known
// suffix, as it does in Go.
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
