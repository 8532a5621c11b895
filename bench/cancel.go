//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// underWay is how long a call goes on before it is cancelled.
const underWay = 100 * time.Millisecond

// cancelRows ask how soon a call ends that is cancelled.
func (k kit) cancelRows() []row {
	g := goal{plus: 50 * time.Millisecond}
	cancelled := func(name string, c call) program {
		return program{name: "**" + name + "**", measured: "cancelling", measure: k.unlimited(c).cancelled, goal: g}
	}
	r := row{
		name:     "cancel",
		question: fmt.Sprintf("A call that is cancelled when %v of it are over: from the cancellation to its answer", underWay),
		factor:   2,
		programs: []program{
			{name: "gander, an empty directory, not cancelled", measured: "call", measure: k.first(k.nothing()).call},
			cancelled("codex/read_file, one line of 100 GB", call{"codex/read_file", args{"file_path": k.data.Endless()}}),
			cancelled("codex/read_file, behind a line of 100 GB", call{"codex/read_file", args{"file_path": k.data.Endless(), "offset": 2}}),
		},
	}
	if k.data.WideNames >= 1_000_000 { // of fewer, some machine has read all
		r.programs = append(r.programs,
			cancelled("codex/list_dir, in the middle of the directory", call{"codex/list_dir", args{
				"dir_path": k.data.Wide(), "offset": k.data.WideNames / 2,
			}}),
			cancelled("codex/list_dir, the whole tree", call{"codex/list_dir", args{
				"dir_path": k.data.Mono(), "limit": 10_000_000, "depth": 100,
			}}),
		)
	}
	return []row{r}
}

// cancelled measures from before the cancellation of the timed call is written until after its answer is read.
func (s session) cancelled(ctx context.Context) (sample, error) {
	server, err := launch(ctx, s.words, s.env)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	for _, c := range s.before {
		if err := s.ask(server, c); err != nil {
			return sample{}, err
		}
	}
	if err := server.tell(s.protocol.request(s.timed)); err != nil {
		return sample{}, err
	}
	time.Sleep(underWay)
	cpu, start := server.cpu(), time.Now()
	// Two lines come back: that the call is cancelled, and its answer.
	answer, err := server.ask(encode(args{"id": 2, "cancel": 1}))
	if err == nil && bytes.HasPrefix(answer, []byte(`{"id":2,`)) {
		answer, err = server.hear()
	}
	if err != nil {
		return sample{}, err
	}
	took := time.Since(start)
	if !bytes.Contains(answer, []byte(`"kind":"cancelled"`)) {
		return sample{}, fmt.Errorf("cancelled, it answered %.200s", answer)
	}
	peak, err := server.peak()
	return sample{took: took, cpu: server.cpu() - cpu, peak: peak}, err
}
