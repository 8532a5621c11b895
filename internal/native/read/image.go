package read

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"

	"gander/internal/admission"
	"gander/internal/documents"
	"gander/internal/images"
	"gander/internal/native/filekind"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/tool"
)

// binarySection returns the section about a file that is not text: the image if it is one, and
// otherwise a description.
func (x *requestedFile) binarySection(ctx context.Context) (section.Section, error) {
	text := fmt.Sprintf("%s: %s, %s bytes", x.shown, x.kind.Name, wording.Grouped(x.size))
	switch {
	case x.kind.Image != "":
		left := x.budget.Data - x.call.ImageBytes
		image, err := images.Read(ctx, x.file, x.size, left)
		return x.imageSection(text, image, err)
	case x.kind.Name == filekind.UnknownBinary:
		return section.Section{Heading: text + "; its content is not shown"}, nil
	default:
		return section.Section{Heading: text + "; binary, so its content is not shown"}, nil
	}
}

// drawnSection returns the section with a picture of the selected page of a document. The heading
// is empty if the page has text, or no single page is selected.
func (x *requestedFile) drawnSection(
	ctx context.Context, d *documents.Document,
) (s section.Section, err error) {
	n, err := strconv.Atoi(x.selected.mark.Name)
	if err != nil || x.selected.mark.Kind != documents.Page {
		return s, nil
	}
	var picture images.Image
	shown := false
	show := func(m *image.RGBA) (err error) {
		shown = true
		picture, err = images.Encode(ctx, m, x.budget.Data-x.call.ImageBytes)
		return err
	}
	pages, err := d.Draw(ctx, n, images.PictureSide, show)
	if err == nil && !shown {
		return s, nil
	}
	if err == nil { // after drawing has released its memory, so that the call waits
		err = admission.Reserve(ctx, int64(len(picture.Data)))
	}
	text := fmt.Sprintf("%s: page %s of %s, shown as a picture because it has no text",
		x.title, wording.Grouped(n), wording.Grouped(pages))
	return x.imageSection(text, picture, err)
}

// imageSection returns the section with an image, which is reduced if a model could not see it
// otherwise, or about the error of reading it. text is the beginning of the heading.
func (x *requestedFile) imageSection(
	text string, image images.Image, err error,
) (section.Section, error) {
	shownBefore := x.call.ImageBytes
	left := x.budget.Data - shownBefore
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
