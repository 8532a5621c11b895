package install

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A format changes a text.
type format interface {
	// get returns a value, or nil.
	get(text []byte, keys []string) (any, error)
	set(text []byte, keys []string, value any) ([]byte, error)
	remove(text []byte, keys []string) ([]byte, error)
}

// An edit changes one value of a file.
type edit struct {
	keys  []string
	value any      // to set
	list  []string // to add to an array, if value is nil
	// update are the members of value to change if there is a value, or nil for all.
	update map[string]any
}

// apply applies or undoes an edit. It also returns a description.
func (e edit) apply(f format, text []byte, isRemoval bool) (after []byte, line string, err error) {
	found, err := f.get(text, e.keys)
	switch {
	case err != nil:
		return nil, "", err
	case e.list != nil:
		return e.applyList(f, text, found, isRemoval)
	}
	isSet := e.isSet(found)
	isOther := found != nil && !isSet && !isGander(found)
	switch {
	case isOther && e.update != nil:
		return nil, "", fmt.Errorf("%s is another server: %s; remove it by hand, or use --name",
			e.where(), encode(found))
	case isOther && isRemoval:
		return text, "", nil // the value of somebody else
	case isOther:
		return nil, "", fmt.Errorf("%s is %s; --remove could not bring it back, so change it by hand",
			e.where(), encode(found))
	case isRemoval && found == nil:
		return text, "", nil
	case isRemoval:
		after, err = f.remove(text, e.keys)
		return after, "remove " + e.where(), err
	case isSet:
		return text, e.kept(found), nil
	case e.update != nil && found != nil:
		return e.applyUpdate(f, text, found)
	}
	after, err = f.set(text, e.keys, e.value)
	return after, fmt.Sprintf("set %s: %s", e.where(), encode(e.value)), err
}

// isSet reports whether a value needs no change.
func (e edit) isSet(found any) bool {
	if e.update == nil {
		return isSame(found, e.value)
	}
	members, _ := found.(map[string]any)
	for name, value := range e.update {
		if !isSame(members[name], value) {
			return false
		}
	}
	return true
}

// applyUpdate changes members of a value.
func (e edit) applyUpdate(
	f format, text []byte, found any,
) (after []byte, line string, err error) {
	for _, name := range slices.Sorted(maps.Keys(e.update)) {
		if text, err = f.set(text, append(slices.Clone(e.keys), name), e.update[name]); err != nil {
			return nil, "", err
		}
	}
	line = fmt.Sprintf("set %s: %s; %s", e.where(), encode(e.update), e.kept(found))
	return text, strings.TrimSuffix(line, "; "), nil
}

// kept names the members of a server's entry that others have added, perhaps not the user.
func (e edit) kept(found any) string {
	written, _ := e.value.(map[string]any)
	members, _ := found.(map[string]any)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(members)), func(name string) bool {
		_, isWritten := written[name]
		return isWritten
	})
	if e.update == nil || len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("keep %s of %s", strings.Join(names, ", "), e.where())
}

// where names the value in messages.
func (e edit) where() string {
	last := len(e.keys) - 1
	if last == 0 {
		return fmt.Sprintf("%q", e.keys[last])
	}
	return fmt.Sprintf("%q in %q", e.keys[last], strings.Join(e.keys[:last], "."))
}

// applyList adds the missing members of a list, or removes those that are there.
func (e edit) applyList(
	f format, text []byte, found any, isRemoval bool,
) (after []byte, line string, err error) {
	var list []string
	members, isList := found.([]any)
	if found != nil && !isList {
		return nil, "", fmt.Errorf("%q is not a list; change it by hand", strings.Join(e.keys, "."))
	}
	for _, member := range members {
		text, isText := member.(string)
		if !isText {
			return nil, "", fmt.Errorf("%q has the member %s, which is no text; change it by hand",
				strings.Join(e.keys, "."), encode(member))
		}
		list = append(list, text)
	}
	var changed []string
	for _, member := range e.list {
		if slices.Contains(list, member) == isRemoval {
			changed = append(changed, member)
		}
	}
	if len(changed) == 0 {
		return text, "", nil
	}
	where := strings.Join(e.keys, ".")
	if !isRemoval {
		after, err = f.set(text, e.keys, append(list, changed...))
		return after, fmt.Sprintf("add to %q: %s", where, encode(changed)), err
	}
	line = fmt.Sprintf("remove from %q: %s", where, encode(changed))
	left := slices.DeleteFunc(list, func(member string) bool {
		return slices.Contains(changed, member)
	})
	if len(left) == 0 {
		after, err = f.remove(text, e.keys)
	} else {
		after, err = f.set(text, e.keys, left)
	}
	return after, line, err
}
