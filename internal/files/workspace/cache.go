package workspace

import (
	"container/list"
	"sync"
	"time"
)

// A cache keeps values that were computed from directories and files, up to a budget of bytes. The value that was used
// least recently goes first.
type cache struct {
	budget int
	now    func() time.Time

	mu    sync.Mutex
	used  int
	items map[cacheKey]*list.Element
	order *list.List // of *cacheItem, the most recently used in front
}

// A cacheKey names a value that was computed from a directory or file.
type cacheKey struct {
	file fileID
	what string
	part int
}

type cacheItem struct {
	key     cacheKey
	version version
	value   any
	bytes   int
}

func newCache(budget int) *cache {
	return &cache{budget: budget, now: time.Now, items: make(map[cacheKey]*list.Element), order: list.New()}
}

func (c *cache) isEmpty() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.items) == 0
}

// get returns the value under key if it was stored with the same version, and drops it if it was not.
func (c *cache) get(key cacheKey, v version) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		return nil, false
	}
	item := e.Value.(*cacheItem)
	if item.version != v {
		c.drop(e)
		return nil, false
	}
	c.order.MoveToFront(e)
	return item.value, true
}

// put stores a value that takes the given number of bytes, in place of the one under key.
func (c *cache) put(key cacheKey, v version, value any, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.drop(e)
	}
	if bytes > c.budget {
		return
	}
	c.items[key] = c.order.PushFront(&cacheItem{key, v, value, bytes})
	for c.used += bytes; c.used > c.budget; {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	item := c.order.Remove(e).(*cacheItem)
	delete(c.items, item.key)
	c.used -= item.bytes
}
