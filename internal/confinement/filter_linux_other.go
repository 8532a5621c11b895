//go:build linux && !amd64 && !arm64

package confinement

import "errors"

func supportsFilter() error { return errors.ErrUnsupported }

func applyFilter() error { return nil }
