package tool

// A Command describes a tool as a command for people. Commands of the same name, which are of different dialects, ask the
// same question: a person can have each of their tools answer it.
type Command struct {
	// Name is the name of the command, such as "list". It is empty if the tool is no command.
	Name string
	// Short says in a few words what the command does, for a list of commands.
	Short string
	// Examples are the words of a command line after the name, each a call that a person may make.
	Examples []string
	// SuggestFor are names of other programs that do the same, which a person may try.
	SuggestFor []string

	// Words are the arguments that are given by position. The first that the schema does not require and all after it may be
	// left out. Every other argument is a flag of its own name, with dashes for underscores.
	Words []string
	// Flags are further names of flags. Each sets an argument, or is a flag without a value that sets "argument=value". A
	// name of one letter is a short flag.
	Flags map[string]string
	// Arguments are the names that this tool has for arguments of the other commands of its name, if they differ.
	Arguments map[string]string
	// AbsolutePath says that the path must be absolute.
	AbsolutePath bool
}

// A Highlighter is a Tool that can say what the words of its answers are, for a frontend that shows them in colour.
type Highlighter interface {
	Tool
	// Highlight returns spans of text, which is the text of the answer to c, in order and apart from each other.
	Highlight(c Call, text string) []Span
}

// A Span is a part of a text, in bytes.
type Span struct {
	// Start and End are where the span begins and ends.
	Start, End int
	// Type says what the text is.
	Type SpanType
}

// A SpanType says what the text of a [Span] is.
type SpanType string

// The types of spans.
const (
	PathSpan   SpanType = "path"
	NumberSpan SpanType = "number" // a number of a line
	MatchSpan  SpanType = "match"
)
