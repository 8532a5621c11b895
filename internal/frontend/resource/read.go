package resource

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"gander/tool"
)

// maxRead is how many bytes of a file are read where the toolset sets no limit.
const maxRead = 8 << 20

// Content is what a file holds: text, or else a blob.
type Content struct {
	MIME string
	Text string
	Blob []byte // nil for text
}

// errDirectory: what was to be read is a directory.
var errDirectory = errors.New("is a directory; list it with resources/directory/read, or with a tool")

// Read returns what the file holds, or the URIs of a directory's first children. A file that does not fit the budget is
// an error: a part of it is for the tool that reads in pages.
func (f *Files) Read(ctx context.Context, uri string) (Content, error) {
	path, err := Path(uri)
	if err != nil {
		return Content{}, err
	}
	if f.reader == nil {
		return f.children(ctx, uri)
	}
	kinds := make(chan Content, 1) // a call that is given up may still send
	text, err := f.as(ctx, f.reader, path, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		data, err := f.load(ctx, uri, path, c.Budget)
		if err != nil {
			return tool.Result{}, fail(uri, err)
		}
		kind := Content{MIME: sniff(path, data)}
		text := string(data)
		if !isText(data) {
			kind.Blob = []byte{}
			text = base64.StdEncoding.EncodeToString(data)
		}
		kinds <- kind
		return tool.Result{Parts: tool.Text(text)}, nil
	})
	if errors.Is(err, errDirectory) && f.lister != nil {
		return f.children(ctx, uri)
	}
	if err != nil {
		return Content{}, err
	}
	content := Content{MIME: "text/plain"}
	select {
	case content = <-kinds:
	default: // middleware has answered
	}
	if content.Blob == nil {
		content.Text = text
		return content, nil
	}
	content.Blob, err = base64.StdEncoding.DecodeString(text)
	return content, err
}

// children returns the first page of a directory as a list of URIs, for clients that can only read.
func (f *Files) children(ctx context.Context, uri string) (Content, error) {
	page, err := f.List(ctx, uri, "")
	if err != nil {
		return Content{}, err
	}
	var list strings.Builder
	for _, e := range page.Entries {
		list.WriteString(e.URI + "\r\n")
	}
	if page.Next != "" {
		list.WriteString("# There is more; see resources/directory/read.\r\n")
	}
	return Content{MIME: "text/uri-list", Text: list.String()}, nil
}

// load reads the whole file.
func (f *Files) load(ctx context.Context, uri, path string, b tool.Budget) ([]byte, error) {
	fsys, name, err := f.open(ctx, path)
	if err != nil {
		return nil, err
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, &tool.Error{Kind: tool.BadArguments, Message: uri + " " + errDirectory.Error(), Err: errDirectory}
	}
	limit, limited := b.Limit()
	if !limited {
		limit = maxRead
	}
	data, err := readAll(ctx, file, limit+1)
	if err != nil {
		return nil, err
	}
	if len(data) > limit || !isText(data) && base64.StdEncoding.EncodedLen(len(data)) > limit {
		return nil, &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf("%s is too large for one answer of %d bytes; read a part of it with a tool, or raise the limit", uri, limit)}
	}
	return data, nil
}

// readAll reads at most so many bytes, whatever size the file states.
func readAll(ctx context.Context, file fs.File, most int) ([]byte, error) {
	var data bytes.Buffer
	for data.Len() < most {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := io.CopyN(&data, file, int64(min(most-data.Len(), 64<<10)))
		tool.Count(ctx, 0, n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return data.Bytes(), nil
}

func isText(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }

// sniff returns the MIME type of a file's bytes. Of a text, they do not say what it is; its name may.
func sniff(name string, data []byte) string {
	if isText(data) {
		return textType(name)
	}
	t := http.DetectContentType(data)
	if strings.HasSuffix(t, "charset=utf-8") { // no bytes that are never in a text, but not UTF-8 either
		return "application/octet-stream"
	}
	return t
}

// textType returns the MIME type of a text by its name.
func textType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		return "text/markdown"
	case ".html", ".htm":
		return "text/html"
	case ".css":
		return "text/css"
	case ".csv":
		return "text/csv"
	case ".js", ".mjs":
		return "text/javascript"
	case ".json":
		return "application/json"
	case ".xml":
		return "application/xml"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".toml":
		return "application/toml"
	case ".svg":
		return "image/svg+xml"
	default:
		return "text/plain"
	}
}
