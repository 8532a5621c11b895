package search

// A currentFile is what a run knows of the file whose results it yields.
type currentFile struct {
	path     string
	named    bool         // it is the start
	reopened reopenedText // for long lines

	counted bool // in Totals
	yielded bool // as a result
	done    bool // no more of its results are yielded

	nul   bool  // it has a NUL before the current item
	nulAt int64 // its offset
	count int   // the number of matching lines so far
	lines int   // the number of lines before the current item
	next  int64 // the offset after the last line that was yielded
}

// countFile counts the file once.
func (r *run) countFile() {
	if !r.file.counted {
		r.file.counted = true
		r.o.Totals.Searched++
	}
}

// result yields a result of the current file, or an error about it.
func (r *run) result(found Result, err error) error {
	found.Path = r.file.path
	if !r.yield(found, err) || r.ended {
		return errStopped
	}
	return nil
}

// takeLine yields a line. It drops lines that it has yielded: a block sends lines before it again.
func (r *run) takeLine(l Line) error {
	r.countFile()
	switch {
	case r.file.done, l.Offset < r.file.next, r.file.nul && l.Context:
		return nil
	case r.file.nul:
		r.file.done = true
		return r.result(Result{Binary: true, NUL: r.file.nulAt}, nil)
	}
	if !r.file.yielded {
		r.file.yielded = true
		if err := r.result(Result{}, nil); err != nil {
			return err
		}
	}
	l.Number = max(l.Number+r.file.lines, 1) // it would be less if the file has changed
	l.run = r
	r.file.next = l.Offset + l.Length + 1
	return r.result(Result{Line: l}, nil)
}

// takeEnding ends the current item, which can be the last of the file.
func (r *run) takeEnding(e ending, last bool) error {
	switch e.outcome {
	case notWanted:
		r.o.Totals.Documents++
	case late:
		r.o.Totals.Late++
	case extracted, cut:
		r.o.Totals.Extracted++
		r.countFile()
	default:
		r.countFile()
	}
	if !r.file.done {
		if err := r.addUp(e, last); err != nil {
			return err
		}
	}
	if e.outcome == cut {
		if err := r.result(Result{}, ErrCut); err != nil {
			return err
		}
	}
	if !r.o.Progress(e.size, last || r.file.done) {
		return errStopped
	}
	return nil
}

// addUp adds up what is known of the file, and yields a result if that ends it.
func (r *run) addUp(e ending, last bool) error {
	r.file.count += e.count
	if e.decoded != "" && e.count > 0 {
		r.o.Totals.addDecoded(e.decoded, 1)
	}
	if e.nul && !r.file.nul {
		r.file.nulAt = e.nulAt
	}
	switch {
	case e.binary:
		r.file.done = true
		r.o.Totals.Binary++
		if r.file.yielded {
			return r.result(Result{Binary: true, NUL: r.file.nulAt}, nil)
		}
		return nil
	case e.matched:
		r.file.done = true
		return r.result(Result{Binary: r.file.nul || e.nul, NUL: r.file.nulAt}, nil)
	}
	r.file.nul = r.file.nul || e.nul
	r.file.lines += e.lines
	isWanted := r.file.count > 0 || r.o.Zero
	if last && isWanted && r.o.Output == Counts {
		return r.result(Result{Count: r.file.count, Binary: r.file.nul}, nil)
	}
	return nil
}

// fail yields an error about the current file, or returns it if it ends the search.
func (r *run) fail(err error) error {
	if err == nil || err == errStopped {
		return err
	}
	if done := r.ctx.Err(); done != nil {
		return done
	}
	if r.file.named {
		return err
	}
	if rule, ok := deniedBy(err); ok {
		r.o.Totals.addDenied(rule, 1)
		return nil
	}
	if hasChanged(err) {
		return nil
	}
	return r.result(Result{}, err)
}
