package search

// Eager returns o with workers that help from the beginning.
func (o Options) Eager() Options {
	o.eager = true
	return o
}

// OnTask returns o with workers that help from the beginning, and call f before each task.
func (o Options) OnTask(f func()) Options {
	o.eager, o.onTask = true, f
	return o
}
