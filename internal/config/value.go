package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// The types of numbers in a [document].
type (
	natural  int64 // at least 0
	positive int64 // at least 1
	limit    int64 // at least 1, or 0 for no limit, which options express as -1
	timeout  int64 // a duration, or 0 for no limit, which options express as -1
)

func (n *natural) UnmarshalTOML(text []byte) error {
	return unmarshal((*int64)(n), text, 0, "an integer, at least 0")
}

func (n *positive) UnmarshalTOML(text []byte) error {
	return unmarshal((*int64)(n), text, 1, "an integer, at least 1")
}

func (n *limit) UnmarshalTOML(text []byte) error {
	err := unmarshal((*int64)(n), text, 0, "an integer, at least 1, or 0 for no limit")
	if *n == 0 {
		*n = -1
	}
	return err
}

func (n *timeout) UnmarshalTOML(text []byte) error {
	d, err := time.ParseDuration(strings.Trim(string(text), `"'`))
	if err != nil || d < 0 {
		return wrong(text, `a duration such as "10s" or "1m30s", or 0 for no limit`)
	}
	if *n = timeout(d); d == 0 {
		*n = -1
	}
	return nil
}

func unmarshal(n *int64, text []byte, min int64, want string) (err error) {
	*n, err = strconv.ParseInt(string(text), 0, strconv.IntSize)
	if err != nil || *n < min {
		return wrong(text, want)
	}
	return nil
}

// wrongPrefix begins the message of [wrong].
const wrongPrefix = "it must be "

// wrong returns the error of a value, with its position if text is part of the document.
func wrong(text []byte, want string) error {
	return unstable.NewParserError(text, wrongPrefix+"%s", want)
}
