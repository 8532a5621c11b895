//go:build linux

package main

import (
	"context"
	"fmt"
	"time"
)

// cancelAfter is how long a call runs before it is cancelled.
const cancelAfter = 100 * time.Millisecond

// cancelRows ask how soon a call ends after it is cancelled.
func (b bench) cancelRows() []row {
	g := goal{plus: 50 * time.Millisecond}
	cancelled := func(name string, c call) program {
		s := b.firstCall(c)
		s.command = append(s.command, "--config", b.single)
		return program{
			name: "**" + name + "**", measured: "cancelling", goal: g,
			measure: func(ctx context.Context) (sample, error) { return s.cancelled(ctx, b.emptyDirectory()) },
		}
	}
	r := row{
		name:     "cancel",
		question: fmt.Sprintf("A call that is cancelled after %v: from the cancellation to the answer to the next call, of an empty directory", cancelAfter),
		repeat:   2,
		programs: []program{
			{name: "gander, an empty directory, not cancelled", measured: "call", measure: b.firstCall(b.emptyDirectory()).call},
			cancelled("codex/read_file, one line of 100 GB", call{"codex/read_file", args{"file_path": b.data.Endless()}}),
			cancelled("codex/read_file, behind a line of 100 GB", call{"codex/read_file", args{"file_path": b.data.Endless(), "offset": 2}}),
		},
	}
	if b.data.WideNames >= 1_000_000 { // a fast machine may finish with less data first
		r.programs = append(r.programs,
			cancelled("codex/list_dir, in the middle of the directory", call{"codex/list_dir", args{
				"dir_path": b.data.Wide(), "offset": b.data.WideNames / 2,
			}}),
			cancelled("codex/list_dir, the whole tree", call{"codex/list_dir", args{
				"dir_path": b.data.Mono(), "limit": 10_000_000, "depth": 100,
			}}),
			cancelled("codex/grep_files, an exploding pattern in a large file", call{"codex/grep_files", args{
				"path": b.data.Log(), "pattern": `\w.{40}\d.{40}[A-Z]Q`,
			}}),
			cancelled("codex/grep_files, the whole directory", call{"codex/grep_files", args{"path": b.data.Wide(), "pattern": nothing}}),
		)
	}
	return []row{r}
}

// cancelled measures from before the cancellation of the timed call is written until the next call,
// which has to wait for it, is answered.
func (s session) cancelled(ctx context.Context, next call) (sample, error) {
	server, err := launch(ctx, s.command, s.env)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	if err := s.prepare(server); err != nil {
		return sample{}, err
	}
	if err := server.send(s.protocol.request(s.timed)); err != nil {
		return sample{}, err
	}
	time.Sleep(cancelAfter)
	start := time.Now()
	err = server.send(encode(args{
		"jsonrpc": "2.0", "method": "notifications/cancelled", "params": args{"requestId": 0},
	}))
	if err == nil {
		after := s
		after.protocol = mcpProtocol{id: 2}
		err = after.ask(server, next)
	}
	if err != nil {
		return sample{}, err
	}
	took := time.Since(start)
	peak, err := server.peak()
	return sample{took: took, peak: peak}, err
}
