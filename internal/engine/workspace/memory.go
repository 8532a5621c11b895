package workspace

import (
	"container/list"
	"sync"
	"time"
)

// A memory keeps what has been read, under a budget of bytes; what was not asked for the longest goes first.
type memory struct {
	budget int
	now    func() time.Time

	mu    sync.Mutex
	used  int
	items map[memoryKey]*list.Element
	order *list.List // the item asked for last is in front
}

// A memoryKey names what is remembered of one directory or file.
type memoryKey struct {
	file fileID
	what string
	part int
}

type memoryItem struct {
	key     memoryKey
	version version
	value   any
	bytes   int
}

func newMemory(budget int) *memory {
	return &memory{budget: budget, now: time.Now, items: make(map[memoryKey]*list.Element), order: list.New()}
}

func (m *memory) empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.items) == 0
}

// get returns what was put under key with the very same version, and forgets what was put with another.
func (m *memory) get(key memoryKey, v version) (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.items[key]
	if !ok {
		return nil, false
	}
	item := e.Value.(*memoryItem)
	if item.version != v {
		m.drop(e)
		return nil, false
	}
	m.order.MoveToFront(e)
	return item.value, true
}

// put remembers value, which takes so many bytes, in place of what was there.
func (m *memory) put(key memoryKey, v version, value any, bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.items[key]; ok {
		m.drop(e)
	}
	if bytes > m.budget {
		return
	}
	m.items[key] = m.order.PushFront(&memoryItem{key, v, value, bytes})
	for m.used += bytes; m.used > m.budget; {
		m.drop(m.order.Back())
	}
}

func (m *memory) drop(e *list.Element) {
	item := m.order.Remove(e).(*memoryItem)
	delete(m.items, item.key)
	m.used -= item.bytes
}
