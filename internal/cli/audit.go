package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/audit"
	"gander/internal/terminal"
	"gander/tool"
)

func (s *source) withAudit() *source {
	f := s.cmd.Flags()
	f.StringVar(&s.audit.File, "audit", "", "record every call in `FILE`, outside the roots")
	f.BoolVar(&s.audit.Required, "audit-required", false, "fail calls that cannot be recorded")
	return s
}

// useAudit lets a toolset record its calls, if flags or the configuration name a file.
func (s *source) useAudit(o *gander.Options, file audit.Options) {
	if s.cmd.Flags().Lookup("audit") == nil {
		return
	}
	file.File = cmp.Or(s.audit.File, file.File)
	file.Required = s.audit.Required || file.Required
	file.Logger = s.logger
	s.audit = file
	if s.audit.File != "" {
		o.Audit = func(ctx context.Context, r tool.Record) error { return s.log.Record(ctx, r) }
	}
}

// openAudit opens the file of the record, before the process is confined.
func (s *source) openAudit(roots []string) (err error) {
	if s.audit.File == "" && s.audit.Required {
		return errors.New("--audit-required has no file to record calls in; give --audit FILE")
	}
	if s.audit.File == "" {
		return nil
	}
	s.audit.Roots = roots
	if s.log, err = audit.Open(s.audit); err != nil {
		return failure(fmt.Errorf("cannot record calls: %w", err))
	}
	return nil
}

func newAuditCmd() *cobra.Command {
	cmd := newCommand("audit")
	cmd.Args = takes(1, 1)
	var since time.Duration
	cmd.Flags().DurationVar(&since, "since", 0,
		"count only the calls of the last `DURATION`, such as 24h")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var from time.Time
		if since > 0 {
			from = time.Now().Add(-since)
		}
		summary, err := audit.Read(args[0], from)
		if err != nil {
			return failure(err)
		}
		return failure(summary.Print(cmd.OutOrStdout(), terminal.Line))
	}
	return cmd
}
