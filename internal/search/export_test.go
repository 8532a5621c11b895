package search

// Eager returns o with workers that help from the beginning.
func (o Options) Eager() Options { return o.Started(func() {}) }

// Started returns o with workers that help from the beginning, and call started before each task.
func (o Options) Started(started func()) Options {
	o.started = started
	return o
}
