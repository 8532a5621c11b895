package resource

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"

	"gander/tool"
)

// cursorLife is how long a cursor is good for.
const cursorLife = 15 * time.Minute

// seal returns the cursor that goes on behind the entry called name in the directory at path. It holds the time it
// expires at and the name, and what shows that this process has made it for this directory.
func (f *Files) seal(path, name string) string {
	body := binary.BigEndian.AppendUint64(nil, uint64(f.now().Add(cursorLife).Unix()))
	body = append(body, name...)
	return base64.RawURLEncoding.EncodeToString(append(f.sum(path, body), body...))
}

// unseal returns the name that a cursor goes on behind.
func (f *Files) unseal(path, cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	bad := func(why string) error {
		return &tool.Error{Kind: tool.BadArguments, Message: why + "; list the directory again without one"}
	}
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(data) < sha256.Size+8 {
		return "", bad("this is no cursor of this server")
	}
	sum, body := data[:sha256.Size], data[sha256.Size:]
	if !hmac.Equal(sum, f.sum(path, body)) {
		return "", bad("this is no cursor of this server for this directory")
	}
	if f.now().Unix() > int64(binary.BigEndian.Uint64(body)) {
		return "", bad(fmt.Sprintf("the cursor has expired: it was good for %d minutes", int(cursorLife.Minutes())))
	}
	return string(body[8:]), nil
}

func (f *Files) sum(path string, body []byte) []byte {
	m := hmac.New(sha256.New, f.key[:])
	m.Write(binary.BigEndian.AppendUint64(nil, uint64(len(path))))
	m.Write([]byte(path))
	m.Write(body)
	return m.Sum(nil)
}
