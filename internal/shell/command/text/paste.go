package text

import (
	"context"
	"errors"
	"io"
	"strings"

	"gander/internal/shell/command"
)

// A paster is a paste with its options.
type paster struct {
	delimiters []string
	c          *command.Call
}

func preparePaste(a command.Arguments) (command.Run, error) {
	p := paster{delimiters: []string{"\t"}}
	if list, ok := a.Value("-d"); ok {
		delimiters, err := parseDelimiters(list)
		if err != nil {
			return nil, err
		}
		p.delimiters = delimiters
	}
	return func(ctx context.Context, c *command.Call) int {
		p := p
		p.c = c
		if a.Has("-s") {
			return c.Each(ctx, a.Operands, command.Failures{}, p.serial)
		}
		names := a.Operands
		if len(names) == 0 {
			names = []string{"-"}
		}
		var inputs []*command.Input
		defer func() {
			for _, in := range inputs {
				in.Close()
			}
		}()
		for _, name := range names {
			in := c.MustOpen(ctx, name, command.Failures{}, 1)
			c.Account.Grab(64 << 10)
			inputs = append(inputs, in)
		}
		return p.parallel(inputs, names)
	}, nil
}

func parseDelimiters(list string) ([]string, error) {
	if list == "" {
		return []string{""}, nil
	}
	var delimiters []string
	for list != "" {
		if list == `\` {
			return nil, errors.New(`delimiter list ends with an unescaped backslash: \`)
		}
		delimiter := list[:1]
		list = list[1:]
		if delimiter == `\` {
			delimiter = list[:1]
			if i := strings.IndexByte("0bfnrtv", list[0]); i >= 0 {
				delimiter = []string{"", "\b", "\f", "\n", "\r", "\t", "\v"}[i]
			}
			list = list[1:]
		}
		delimiters = append(delimiters, delimiter)
	}
	return delimiters, nil
}

func (p *paster) delimiter(i int) string { return p.delimiters[i%len(p.delimiters)] }

// serial prints the lines of one file as one line.
func (p *paster) serial(in *command.Input, _ string) error {
	lines := command.Lines{Account: p.c.Account, End: '\n'}
	for i := 0; ; i++ {
		text, _, err := lines.Next(in)
		if err != nil {
			p.c.Out.WriteByte('\n')
			return err
		}
		if i > 0 {
			p.c.Out.WriteString(p.delimiter(i - 1))
		}
		p.c.Out.Write(text)
	}
}

// parallel prints lines of all files side by side, until all have ended.
func (p *paster) parallel(inputs []*command.Input, names []string) (status int) {
	lines := command.Lines{Account: p.c.Account, End: '\n'}
	ended := make([]bool, len(inputs))
	for {
		pending := "" // delimiters before the next text
		hasText := false
		for i, in := range inputs {
			if i > 0 {
				pending += p.delimiter(i - 1)
			}
			if ended[i] {
				continue
			}
			text, _, err := lines.Next(in)
			if err != nil {
				ended[i] = true
				if err != io.EOF {
					if hasText {
						p.c.Out.WriteString(pending)
						pending = ""
					}
					p.c.Failed("", names[i], err)
					status = 1
				}
				continue
			}
			p.c.Out.WriteString(pending)
			p.c.Out.Write(text)
			pending, hasText = "", true
		}
		if !hasText {
			return status
		}
		p.c.Out.WriteString(pending + "\n")
	}
}
