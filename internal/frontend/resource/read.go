package resource

import (
	"bytes"
	"context"
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

// maxRead is the most bytes of a file that are read if the toolset sets no limit.
const maxRead = 8 << 20

// Content is what a resource holds: text, or else a blob.
type Content struct {
	MIME string
	Text string
	Blob []byte // nil for text
}

// errDirectory says that a directory was to be read as a file.
var errDirectory = errors.New("is a directory; list it with resources/directory/read, or with a tool")

// Read returns the content of a file, or a list of the URIs of a directory's first entries. A file that is larger than the
// budget is an error, which suggests a tool that reads a part of it.
func (f *Files) Read(ctx context.Context, uri string) (Content, error) {
	path, err := Path(uri)
	if err != nil {
		return Content{}, err
	}
	if f.reader == nil {
		return f.children(ctx, uri)
	}
	result, err := f.callAs(ctx, f.reader, path, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		data, err := f.load(ctx, uri, path, c.Budget)
		switch {
		case err != nil:
			return tool.Result{}, fail(uri, err)
		case isText(data):
			return tool.Result{Parts: tool.Text(string(data))}, nil
		default:
			return tool.Result{Parts: []tool.Part{{Type: tool.BlobPart, Data: data, MIMEType: blobType(data)}}}, nil
		}
	})
	switch {
	case errors.Is(err, errDirectory) && f.lister != nil:
		return f.children(ctx, uri)
	case err != nil:
		return Content{}, err
	case len(result.Parts) == 1 && result.Parts[0].Type != tool.TextPart:
		return Content{MIME: result.Parts[0].MIMEType, Blob: result.Parts[0].Data}, nil
	default:
		return Content{MIME: textType(path), Text: result.Text()}, nil
	}
}

// children returns the first page of a directory as a list of URIs.
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

// load reads a whole file. Text counts against the budget's limit of text, and other files against that of data.
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
	if len(data) > limit && !isCutText(data) || len(data) <= limit && !isText(data) {
		return loadData(ctx, uri, file, data, b)
	}
	if len(data) > limit {
		return nil, &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf("%s is too large for one answer of %d bytes; read a part of it with a tool, or raise the limit", uri, limit)}
	}
	return data, nil
}

// loadData reads the rest of a file that is not text, and returns all of it.
func loadData(ctx context.Context, uri string, file fs.File, head []byte, b tool.Budget) ([]byte, error) {
	limit, limited := b.DataLimit()
	if !limited {
		limit = maxRead
	}
	if info, err := file.Stat(); err != nil {
		return nil, err
	} else if err := tool.HoldData(ctx, int(min(info.Size(), int64(limit)))); err != nil {
		return nil, err
	}
	if len(head) <= limit {
		rest, err := readAll(ctx, file, limit+1-len(head))
		if err != nil {
			return nil, err
		}
		head = append(head, rest...)
	}
	if len(head) > limit {
		return nil, &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf("%s is binary, and larger than the limit of %d bytes; raise limits.max_data_bytes", uri, limit)}
	}
	return head, nil
}

// readAll reads at most that many bytes, whatever size the file system states.
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

// isCutText reports whether data is text that may end within a character.
func isCutText(data []byte) bool {
	for cut := range min(utf8.UTFMax, len(data)) {
		if isText(data[:len(data)-cut]) {
			return true
		}
	}
	return false
}

// blobType returns the MIME type of bytes that are not text.
func blobType(data []byte) string {
	t := http.DetectContentType(data)
	if strings.HasSuffix(t, "charset=utf-8") { // It looks for bytes that no text has; this is not UTF-8 all the same.
		return "application/octet-stream"
	}
	return t
}

// textType returns the MIME type of a text by the extension of its name.
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
