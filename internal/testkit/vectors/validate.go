//go:build unix

package vectors

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// listing is the document of FR-LD-OUT, its keys in the published order.
type listing struct {
	Path            string  `json:"path"`
	Entries         []entry `json:"entries"`
	Returned        int     `json:"returned"`
	MaxEntries      int     `json:"max_entries"`
	Truncated       bool    `json:"truncated"`
	TruncatedReason *string `json:"truncated_reason"`
}

type entry struct {
	Name            string  `json:"name"`
	Path            string  `json:"path"`
	Depth           int     `json:"depth"`
	Type            string  `json:"type"`
	SizeBytes       *int64  `json:"size_bytes"`
	ModifiedEpochMS *int64  `json:"modified_epoch_ms"`
	IsHidden        bool    `json:"is_hidden"`
	ErrorCode       *string `json:"error_code"`
	Error           *string `json:"error"`
}

// ValidateForge reports in what a listing breaks the rules that hold for any listing by forge/list_directory: those of
// the document's section 3.5. It does not know what should have been listed.
func ValidateForge(content string) error {
	var l listing
	if err := strict([]byte(content), &l); err != nil {
		return fmt.Errorf("FR-LD-OUT: %w", err)
	}
	if err := canonical(content, l); err != nil {
		return err
	}
	if err := l.validate(); err != nil {
		return err
	}
	for _, e := range l.Entries {
		if err := e.validate(); err != nil {
			return fmt.Errorf("entry %q: %w", e.Path, err)
		}
	}
	return nil
}

// canonical holds content to FR-LD-OUT-02a by writing the listing anew. encoding/json differs from the standard escaping
// in what it escapes for HTML, so the same is escaped in content first.
func canonical(content string, l listing) error {
	want, err := json.Marshal(l)
	if err != nil {
		return err
	}
	var got bytes.Buffer
	json.HTMLEscape(&got, []byte(content))
	if !bytes.Equal(got.Bytes(), want) {
		return fmt.Errorf("FR-LD-OUT-02a: not the canonical JSON: got\n%s\nwant\n%s", &got, want)
	}
	return nil
}

func (l listing) validate() error {
	reason := ""
	if l.TruncatedReason != nil {
		reason = *l.TruncatedReason
	}
	switch {
	case l.Entries == nil:
		return errors.New("FR-LD-OUT: entries must be an array")
	case l.Returned != len(l.Entries):
		return fmt.Errorf("FR-LD-OUT-02b: returned is %d for %d entries", l.Returned, len(l.Entries))
	case l.Returned > l.MaxEntries:
		return fmt.Errorf("FR-LD-LST-07: %d entries, and max_entries is %d", l.Returned, l.MaxEntries)
	case l.Truncated != (l.TruncatedReason != nil):
		return fmt.Errorf("FR-LD-OUT-02b: truncated is %v, and the reason %q", l.Truncated, reason)
	case l.Truncated && reason != "max_entries" && reason != "max_output_bytes":
		return fmt.Errorf("FR-LD-OUT-02b: the reason %q is not one", reason)
	case reason == "max_entries" && l.Returned != l.MaxEntries:
		return fmt.Errorf("FR-LD-LST-07: cut at %d entries, and max_entries is %d", l.Returned, l.MaxEntries)
	case !slices.IsSortedFunc(l.Entries, func(a, b entry) int { return cmp.Compare(a.Path, b.Path) }):
		return errors.New("FR-LD-OUT-01: the entries are not sorted by path")
	default:
		return nil
	}
}

func (e entry) validate() error {
	components := strings.Split(e.Path, "/")
	codes := []string{"metadata_unavailable", "permission_denied", "read_dir_failed", "io_error", "unknown"}
	switch {
	case slices.Contains(components, ""):
		return errors.New("FR-LD-OUT: path is not relative, or has an empty component")
	case e.Name != components[len(components)-1]:
		return fmt.Errorf("FR-LD-OUT: name %q is not the last component", e.Name)
	case e.Name == ".", e.Name == "..":
		return errors.New("FR-LD-LST-03: . and .. must be ignored")
	case e.Depth != len(components):
		return fmt.Errorf("FR-LD-OUT: depth is %d for %d components", e.Depth, len(components))
	case !slices.Contains([]string{"file", "dir", "symlink", "other", "unknown"}, e.Type):
		return fmt.Errorf("FR-LD-OUT: type %q is not one", e.Type)
	case e.SizeBytes != nil && (e.Type != "file" || *e.SizeBytes < 0):
		return fmt.Errorf("FR-LD-OUT: size_bytes is %d for a %s", *e.SizeBytes, e.Type)
	case e.SizeBytes == nil && e.Type == "file":
		return errors.New("FR-LD-OUT: size_bytes is null for a file")
	case e.IsHidden != strings.HasPrefix(e.Name, "."):
		return fmt.Errorf("FR-LD-LST-06a: is_hidden is %v", e.IsHidden)
	case (e.Type == "unknown") != (e.ErrorCode != nil), (e.Type == "unknown") != (e.Error != nil):
		return errors.New("FR-LD-OUT: error_code and error must be set for type unknown, and only there")
	case e.ErrorCode != nil && !slices.Contains(codes, *e.ErrorCode):
		return fmt.Errorf("FR-LD-OUT: error_code %q is not one", *e.ErrorCode)
	default:
		return nil
	}
}
