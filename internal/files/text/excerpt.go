package text

// Excerpt returns at most 60 bytes of a value that the caller has sent, escaped to fit on one line.
func Excerpt[T ~string | ~[]byte](value T) string { return ExcerptOf(value, 60) }

// ExcerptOf is [Excerpt] for at most limit bytes.
func ExcerptOf[T ~string | ~[]byte](value T, limit int) string {
	shown := Cut(string(value[:min(len(value), limit+4)]), limit)
	if len(shown) < len(value) {
		shown += "..."
	}
	return Escape(shown)
}
