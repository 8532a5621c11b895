package list

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// sampled is how much of a file the command file looks at, in bytes.
const sampled = 1 << 20

// prepareFile prepares file. The real one knows thousands of kinds, and takes some texts for source
// code by single words. This one knows the kinds that are certain, and refuses the others.
func prepareFile(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, command.UsageError("missing operand")
	}
	widest := 0
	for _, name := range a.Operands {
		widest = max(widest, utf8.RuneCountInString(name))
	}
	return func(ctx context.Context, c *command.Call) int {
		c.Account.Grab(sampled)
		sample := make([]byte, sampled)
		for _, name := range a.Operands {
			text, err := fileText(ctx, c, name, sample)
			switch {
			case err != nil:
				text = fmt.Sprintf("cannot open `%s' (%s)", name, command.Message(err))
			case text == "":
				command.Stop("file %s: its kind is not known here; use head, xxd or read_file", name)
			}
			if !a.Has("-b") {
				padding := strings.Repeat(" ", widest-utf8.RuneCountInString(name))
				if name == "-" {
					name = "/dev/stdin"
				}
				text = name + ": " + padding + text
			}
			c.Out.Line([]byte(text))
		}
		return 0
	}, nil
}

// fileText says what a path names, or returns "" if it is not known.
func fileText(ctx context.Context, c *command.Call, name string, sample []byte) (string, error) {
	if name == "-" {
		n, err := io.ReadFull(c.In, sample)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return "", err
		}
		return contentText(sample[:n]), nil
	}
	d, err := describe(ctx, c, name, false)
	if err != nil {
		return "", err
	}
	switch d.Kind {
	case workspace.Directory:
		return "directory", nil
	case workspace.Symlink:
		text := "symbolic link to " + readlink(ctx, c, name)
		if _, err := describe(ctx, c, name, true); err != nil {
			text = "broken " + text
		}
		return text, nil
	case workspace.Regular:
	default:
		return typeText(d), nil
	}
	f, err := c.Files.File(ctx, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	n, err := f.ReadAt(sample, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return contentText(sample[:n]), nil
}

// contentText says what a file contains, or returns "".
func contentText(b []byte) string {
	text := bytes.TrimLeft(b, " \t\r\n")
	isJSON := len(text) > 0 && (text[0] == '{' || text[0] == '[')
	switch {
	case len(b) == 0:
		return "empty"
	case len(b) == 1:
		return "very short file (no magic)"
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return pngText(b)
	case isJSON && json.Valid(b):
		return "JSON text data"
	}
	return ""
}

func pngText(b []byte) string {
	if len(b) < 29 {
		return ""
	}
	colors := map[byte]string{
		0: " grayscale", 2: "/color RGB", 3: " colormap", 4: " gray+alpha", 6: "/color RGBA",
	}
	laced := map[byte]string{0: "non-interlaced", 1: "interlaced"}
	return fmt.Sprintf("PNG image data, %d x %d, %d-bit%s, %s", binary.BigEndian.Uint32(b[16:]),
		binary.BigEndian.Uint32(b[20:]), b[24], colors[b[25]], laced[b[28]])
}
