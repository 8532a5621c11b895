package find

import (
	"math"

	"gander/internal/native/printing"
)

func (r request) Print(p *printing.Printer, given string) error {
	start, pattern, err := r.start(p.Call, given)
	if err != nil {
		return err
	}
	r.options.Pattern = pattern
	return printing.Below(p, given, start.Location, r.options, r.Pager(math.MaxInt), false)
}
