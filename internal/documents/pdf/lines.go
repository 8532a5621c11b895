package pdf

// lines writes the lines of page n.
func (d *document) lines(n int, l *layout) {
	if len(l.lines) == 0 {
		return
	}
	d.begin(n)
	if l.uncertain {
		d.w.Line([]byte("(columns may be those of a table, or of the page)"))
	}
	if l.partial {
		d.w.Line([]byte("(not all links and values of forms are shown)"))
	}
	for _, line := range l.lines {
		d.w.Run([]byte(readingOrder(line)))
		d.w.End()
	}
}
