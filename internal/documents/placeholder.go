package documents

// Placeholder returns what stands for something that is not text, such as "[image: a map]". The
// description can be empty.
func Placeholder(what, description string) []byte {
	if description != "" {
		what += ": " + description
	}
	return []byte("[" + what + "]")
}

// A Title collects the title of a slide for its mark. One of more than MaxTitle bytes is empty, because
// the text of the slide has it.
type Title struct {
	Text string
	long bool
}

// MaxTitle is the maximum length of a title in bytes.
const MaxTitle = 200

// Add adds text. A space before other text is dropped.
func (t *Title) Add(text string) {
	t.long = t.long || len(t.Text)+len(text) > MaxTitle
	switch {
	case t.long:
		t.Text = ""
	case t.Text != "" || text != " ":
		t.Text += text
	}
}
