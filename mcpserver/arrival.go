package mcpserver

import (
	"errors"
	"io"
	"net/http"
	"time"

	"gander/internal/admission"
)

const (
	// requestBytes is the memory for requests that arrive or are served. In addition, keptBytes are
	// kept for clients that have at most littleBytes.
	requestBytes = 16 << 20
	keptBytes    = 8 << 20
	littleBytes  = 1 << 20
	// A request costs requestCost, and a byte of a body, which the SDK copies, byteCost.
	requestCost = 64 << 10
	byteCost    = 4
)

var errBusy = errors.New("too many requests are in flight; try again later")

// An arrival is the body of a request, whose bytes cost memory as they arrive. Until it has
// arrived, the request is dropped when a client with less needs the memory.
type arrival struct {
	io.Reader
	memory *admission.Hold
}

// newArrival returns the arrival of a request, or nil if there is no memory for it.
func (h *handler) newArrival(w http.ResponseWriter, r *http.Request) *arrival {
	memory := h.requests.Open(admission.CallerOf(r.Context()))
	if !memory.Try(requestCost) {
		memory.End()
		return nil
	}
	memory.SetDrop(func() {
		// Without a deadline, Read waits until the client sends more or closes the connection.
		_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
	})
	return &arrival{http.MaxBytesReader(w, r.Body, maxMessage), memory}
}

// Read reads from the body. The error is [errBusy] if there is no memory for the bytes.
func (a *arrival) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if n > 0 && !a.memory.Try(int64(byteCost*n)) {
		return 0, errBusy
	}
	return n, err
}

func (a *arrival) body(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	body, err := io.ReadAll(a)
	dropped := !a.memory.SetDrop(nil)
	switch {
	case dropped, errors.Is(err, errBusy):
		if r.ProtoMajor == 1 { // A deadline may have ended the context of the whole connection.
			w.Header().Set("Connection", "close")
		}
		return nil, busy
	case err == nil:
		return body, nil
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, tooLarge
	default:
		return nil, &refusal{http.StatusBadRequest, "the body did not arrive"}
	}
}
