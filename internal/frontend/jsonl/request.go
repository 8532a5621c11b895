package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gander/internal/jsonobject"
	"gander/tool"
)

// A request is a line of input: a call, the cancellation of one, or the question for the tools' definitions. Ids are JSON
// text, as in the line.
type request struct {
	id     string
	tool   string
	call   tool.Call
	cancel string // the id of the call to cancel; empty in a call
	// definitions reports whether the request asks for the definitions of the tools.
	definitions bool
}

// parse returns the request in a line. If it returns an error, the request has only an id, if one can be read.
func parse(line []byte) (request, error) {
	o, err := jsonobject.Parse(line)
	if err != nil {
		return request{id: salvage(line)}, err
	}
	var r request
	if r.id, err = idOf(o, "id"); err != nil {
		return request{}, err
	}
	_, cancels := o.Get("cancel")
	known := []string{"id", "tool", "args", "max_output_bytes", "available_capacity_bytes"}
	definitions, asks := o.Get("definitions")
	switch {
	case cancels:
		known = []string{"id", "cancel"}
	case asks:
		known = []string{"id", "definitions"}
	}
	if err := onlyKeys(o, known); err != nil {
		return request{id: r.id}, err
	}
	if cancels {
		r.cancel, err = idOf(o, "cancel")
		return r, err
	}
	if asks {
		if r.definitions, _ = definitions.Bool(); !r.definitions {
			return r, errors.New(`"definitions" must be true`)
		}
		return r, nil
	}
	return r, r.readCall(o)
}

func (r *request) readCall(o *jsonobject.Object) error {
	name, _ := o.Get("tool")
	var ok bool
	if r.tool, ok = name.Text(); !ok {
		return errors.New(`"tool" must be the id or name of a tool, as a string`)
	}
	args, _ := o.Get("args")
	r.call.Args = args.Raw()
	var err error
	if r.call.Budget.MaxOutputBytes, err = bytesOf(o, "max_output_bytes"); err != nil {
		return err
	}
	r.call.Budget.AvailableBytes, err = bytesOf(o, "available_capacity_bytes")
	return err
}

func onlyKeys(o *jsonobject.Object, known []string) error {
	for _, k := range o.Keys() {
		if !slices.Contains(known, k) {
			return fmt.Errorf("unknown key %.60q; the keys of this request are: %s", k, strings.Join(known, ", "))
		}
	}
	return nil
}

// idOf returns the id under key as JSON text.
func idOf(o *jsonobject.Object, key string) (string, error) {
	v, _ := o.Get(key)
	if kind := v.Type(); kind != jsonobject.TypeString && kind != jsonobject.TypeNumber {
		return "", fmt.Errorf("%q must be a string or a number: the id of a request", key)
	}
	return string(v.Raw()), nil
}

// bytesOf returns the number of bytes under key, or nil if the key is missing.
func bytesOf(o *jsonobject.Object, key string) (*int, error) {
	v, ok := o.Get(key)
	if !ok {
		return nil, nil
	}
	n, err := v.Integer()
	if err != nil || n < 0 || n > math.MaxInt {
		return nil, fmt.Errorf("%q must be an integer from 0 to %d; leave it out for no limit", key, math.MaxInt)
	}
	limit := int(n)
	return &limit, nil
}

// salvage returns the id of a line that is not strict JSON, so that the parent can tell which request was refused. It is
// the only id before the first syntax error, or "" if there is none or there are several.
func salvage(line []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(line))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	found := ""
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			break
		}
		if key != "id" {
			continue
		}
		rest := bytes.TrimLeft(line[decoder.InputOffset():], " \t\r")
		if found != "" || !bytes.HasPrefix(rest, []byte(",")) && !bytes.HasPrefix(rest, []byte("}")) {
			return ""
		}
		o, err := jsonobject.Parse(fmt.Appendf(nil, `{"id":%s}`, value))
		if err != nil {
			return ""
		}
		if found, err = idOf(o, "id"); err != nil {
			return ""
		}
	}
	return found
}
