package read

import (
	"errors"
	"fmt"
	"io"

	"gander/internal/images"
	"gander/internal/native/filekind"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/tool"
)

// binarySection returns the section about a file that is not text: the image if it is one, and
// otherwise a description.
func (x *requestedFile) binarySection() (section.Section, error) {
	text := fmt.Sprintf("%s: %s, %s bytes", x.shown, x.kind.Name, wording.Grouped(x.size))
	switch {
	case x.kind.Image != "":
		return x.imageSection(text)
	case x.kind.Name == filekind.UnknownBinary:
		return section.Section{Heading: text + "; its content is not shown"}, nil
	default:
		return section.Section{Heading: text + "; binary, so its content is not shown"}, nil
	}
}

// imageSection returns the section with an image, which is reduced if a model could not see it
// otherwise. text is the beginning of the heading.
func (x *requestedFile) imageSection(text string) (section.Section, error) {
	shownBefore := x.call.ImageBytes
	left := x.budget.Data - shownBefore
	image, err := images.Read(x.call.Ctx, x.file, x.size, left)
	switch {
	case err == nil && image.Reduced:
		text += fmt.Sprintf(", %s shown as %s", image.Original, image.Shown)
	case errors.Is(err, images.ErrTooLarge) && image.Original == images.Size{}:
		text += "; too large to be shown"
	case errors.Is(err, images.ErrTooLarge):
		text += fmt.Sprintf(", %s pixels, too large to be shown", image.Original)
	case errors.Is(err, images.ErrLimit) && shownBefore > 0:
		text += "; the images above leave it " + wording.Grouped(left) + " bytes; read it in another call"
	case errors.Is(err, images.ErrLimit):
		text += "; images of more than " + wording.Grouped(left) + " bytes are not shown"
	case errors.Is(err, images.ErrUnsupported) && x.kind.Image == "image/webp":
		text += "; an animation, so it is not shown"
	case errors.Is(err, images.ErrUnsupported):
		text += "; its encoding is not supported, so it is not shown"
	case errors.Is(err, images.ErrDamaged):
		text += "; damaged, so it is not shown"
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the file has become shorter while it was read; read it again")
		return section.Section{}, lookup.FileError(x.shown, err)
	case err != nil:
		return section.Section{}, lookup.FileError(x.shown, err)
	}
	if image.Turned {
		text += ", turned upright"
	}
	if image.Still {
		text += ", the first frame of an animation"
	}
	s := section.Section{Heading: text}
	if image.Data != nil {
		s.Data = []tool.Part{{Data: image.Data, MIMEType: image.MediaType}}
	}
	return s, nil
}
