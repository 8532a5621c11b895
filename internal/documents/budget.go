package documents

// A Budget counts what a format keeps in memory to read one document, such as its styles. The zero
// value allows 1 MiB.
type Budget struct{ used int }

const maxKept = 1 << 20

// Keep counts an entry of a table, whose texts have n bytes. It returns an error if there is no room
// for it.
func (b *Budget) Keep(n int) error {
	const overhead = 64 // of an entry of a map
	b.used += n + overhead
	if b.used > maxKept {
		return TooLargef("more than %d MiB of styles, relations or lists of parts", maxKept>>20)
	}
	return nil
}
