package workspace

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestRetry(t *testing.T) {
	for last, want := range map[error]error{nil: nil, unix.EIO: unix.EIO, unix.ELOOP: ErrLoop} {
		results := []error{unix.EINTR, unix.EINTR, last, unix.EPERM}
		_, err := retry(func() (_ int, err error) {
			err, results = results[0], results[1:]
			return 0, err
		})
		if err != want || len(results) != 1 {
			t.Errorf("%v after two interruptions: %v; %d calls left", last, err, len(results))
		}
	}
}
