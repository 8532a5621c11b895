package config

import (
	"strconv"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// The types of numbers in a [document]. They are structs so that the decoder leaves the parsing to
// them.
type (
	// natural is an integer that is at least 0.
	natural struct{ value int64 }
	// positive is an integer that is at least 1.
	positive struct{ value int64 }
	// limit is an integer whose 0 means no limit, which options express as -1.
	limit struct{ value int64 }
	// timeout is a duration whose 0 means no limit, which options express as -1.
	timeout struct{ value int64 }
)

func (n *natural) UnmarshalText(text []byte) (err error) {
	n.value, err = integer(text, 0, "an integer, at least 0")
	return err
}

func (n *positive) UnmarshalText(text []byte) (err error) {
	n.value, err = integer(text, 1, "an integer, at least 1")
	return err
}

func (n *limit) UnmarshalText(text []byte) (err error) {
	n.value, err = integer(text, 0, "an integer, at least 1, or 0 for no limit")
	if n.value == 0 {
		n.value = -1
	}
	return err
}

func (n *timeout) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 {
		return wrong(text, `a duration such as "10s" or "1m30s", or 0 for no limit`)
	}
	if n.value = int64(d); d == 0 {
		n.value = -1
	}
	return nil
}

func integer(text []byte, min int64, want string) (int64, error) {
	n, err := strconv.ParseInt(string(text), 0, strconv.IntSize)
	if err != nil || n < min {
		return 0, wrong(text, want)
	}
	return n, nil
}

// wrongPrefix begins the message of [wrong].
const wrongPrefix = "it must be "

// wrong returns the error of a value, with its position if text is part of the document.
func wrong(text []byte, want string) error {
	return unstable.NewParserError(text, wrongPrefix+"%s", want)
}
