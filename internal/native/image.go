package native

import (
	"errors"
	"fmt"
	"io"

	"gander/internal/images"
	"gander/tool"
)

// binarySection returns the section about a file that is not text: the image if it is one, and
// otherwise a description.
func (x *requestedFile) binarySection() (section, error) {
	text := fmt.Sprintf("%s: %s, %s bytes", x.shown, x.kind.name, grouped(x.size))
	switch {
	case x.kind.image != "":
		return x.imageSection(text)
	case x.kind.name == unknownBinary:
		return section{heading: text + "; its content is not shown"}, nil
	default:
		return section{heading: text + "; binary, so its content is not shown"}, nil
	}
}

// imageSection returns the section with an image, which is reduced if a model could not see it
// otherwise. text is the beginning of the heading.
func (x *requestedFile) imageSection(text string) (section, error) {
	shownBefore := x.call.imageBytes
	left := x.budget.data - shownBefore
	image, err := images.Read(x.call.ctx, x.file, x.size, left)
	switch {
	case err == nil && image.Reduced:
		text += fmt.Sprintf(", %s shown as %s", image.Original, image.Shown)
	case errors.Is(err, images.ErrTooLarge):
		text += fmt.Sprintf(", %s pixels, too large to be shown", image.Original)
	case errors.Is(err, images.ErrLimit) && shownBefore > 0:
		text += "; the images above leave it " + grouped(left) + " bytes; read it in another call"
	case errors.Is(err, images.ErrLimit):
		text += "; images of more than " + grouped(left) + " bytes are not shown"
	case errors.Is(err, images.ErrDamaged):
		text += "; damaged, so it is not shown"
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the file has become shorter while it was read; read it again")
		return section{}, fileError(x.shown, err)
	case err != nil:
		return section{}, fileError(x.shown, err)
	}
	if image.Turned {
		text += ", turned upright"
	}
	s := section{heading: text}
	if image.Data != nil {
		s.data = []tool.Part{{Data: image.Data, MIMEType: image.MediaType}}
	}
	return s, nil
}
