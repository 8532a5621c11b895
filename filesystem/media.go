package filesystem

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"

	"gander/internal/admission"
	"gander/internal/files/text"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// mediaTypes are the media types by suffix.
var mediaTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
	".webp": "image/webp", ".bmp": "image/bmp", ".svg": "image/svg+xml",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".flac": "audio/flac",
}

const maxMediaBytes = 64 << 20 // regardless of the caller's limit

func (t *fileTool) readMedia(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	path := a.Required("path").String("")
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	at, err := t.find(ctx, path)
	if err != nil {
		return tool.Result{}, newError(err, "open", at.path)
	}
	f, err := at.openFile()
	if err != nil {
		return tool.Result{}, err
	}
	defer f.Close()
	most, advice := maxMediaBytes, ""
	if limit := c.Budget.MaxDataBytes; limit != nil && *limit < most {
		most, advice = *limit, "; raise limits.max_data_bytes"
	}
	tooLarge := func(size int64) error {
		return toolerror.Failed("file of %d bytes does not fit the limit of %d bytes of data%s",
			size, most, advice)
	}
	if f.Size() > int64(most) {
		return tool.Result{}, tooLarge(f.Size())
	}
	if err := admission.Reserve(ctx, f.Size()); err != nil {
		return tool.Result{}, err
	}
	data, end, err := read(ctx, f, 0, most+1)
	switch {
	case err != nil:
		return tool.Result{}, newError(err, "read", at.path)
	case !end || len(data) > most:
		return tool.Result{}, tooLarge(int64(len(data)))
	case int64(len(data)) < f.Size():
		return tool.Result{}, toolerror.Failed(
			"%s: the file has become shorter while it was read; read it again", at.path)
	}
	part := tool.Part{Data: data, MIMEType: mediaTypes[suffix(at.path)]}
	if part.MIMEType == "" {
		part.MIMEType, part.URI = "application/octet-stream", fileURI(at.path)
	}
	return tool.Result{Parts: []tool.Part{part}}, nil
}

// suffix returns the suffix of an ASCII name in lower case, with its dot, or "". A dot at the start
// is part of the name.
func suffix(path string) string {
	name := filepath.Base(path)
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || !text.ASCII(name[dot:]) {
		return ""
	}
	return strings.ToLower(name[dot:])
}

// fileURI returns the URI of an absolute path, with the original's choice of escapes.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	choice := strings.NewReplacer(
		"%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "~", "%7E")
	return "file://" + choice.Replace((&url.URL{Path: path}).EscapedPath())
}
