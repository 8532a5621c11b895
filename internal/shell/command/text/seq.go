package text

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

// A sequence is a seq with its options. Its numbers are multiples of a power of ten.
type sequence struct {
	first, step, last *big.Int
	isEndless         bool
	scale             int // decimals of the numbers
	decimals          int // that are shown
	width             int // with zeros, or 0
	separator, format string
}

// seqOptions are the options of seq. They end before a negative number.
const seqOptions command.Options = "-s= --separator=, -f= --format=, -w --equal-width"

func prepareSeq(name string, args []string) (command.Run, error) {
	at := slices.IndexFunc(args, func(s string) bool {
		return len(s) > 1 && s[0] == '-' && strings.IndexByte(".0123456789", s[1]) >= 0
	})
	var numbers []string
	if at >= 0 {
		args, numbers = args[:at], args[at:]
	}
	options, operands, err := seqOptions.Parse(name, args, true)
	if err != nil {
		return command.Failing(err, 1)
	}
	a := command.Arguments{Name: name, Options: options, Operands: append(operands, numbers...)}
	s := sequence{separator: "\n"}
	if separator, ok := a.Value("-s"); ok {
		s.separator = separator
	}
	s.format, _ = a.Value("-f")
	if err := s.parse(a); err != nil {
		return command.Failing(err, 1)
	}
	return func(_ context.Context, c *command.Call) int {
		s.run(c)
		return 0
	}, nil
}

// maxDigits bounds the numbers of seq.
const maxDigits = 40

func (s *sequence) parse(a command.Arguments) error {
	texts := a.Operands
	switch len(texts) {
	case 0:
		return a.MissingOperand()
	case 1:
		texts = []string{"1", "1", texts[0]}
	case 2:
		texts = []string{texts[0], "1", texts[1]}
	case 3:
	default:
		return a.ExtraOperand(3)
	}
	s.isEndless = strings.EqualFold(strings.TrimPrefix(texts[2], "+"), "inf")
	if s.isEndless {
		texts = []string{texts[0], texts[1], "0"}
	}
	var values [3]*big.Rat
	for i, text := range texts {
		isPlain := len(text) <= maxDigits && strings.Trim(text, "+-.0123456789eE") == ""
		value, ok := new(big.Rat).SetString(text)
		if !isPlain || !ok {
			return command.UsageError("invalid floating point argument: ‘" + text + "’")
		}
		values[i] = value
		s.scale = max(s.scale, decimals(text))
		if i < 2 {
			s.decimals = max(s.decimals, decimals(text))
		}
	}
	if s.scale > maxDigits {
		return command.Refuse("seq: the numbers have more than %d digits; use others", maxDigits)
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.scale)), nil)
	var scaled [3]*big.Int
	for i, value := range values {
		product := new(big.Rat).Mul(value, new(big.Rat).SetInt(power))
		scaled[i] = new(big.Int).Set(product.Num())
	}
	s.first, s.step, s.last = scaled[0], scaled[1], scaled[2]
	if s.step.Sign() == 0 {
		return command.UsageError("invalid Zero increment value: ‘" + texts[1] + "’")
	}
	if a.Has("-w") && !s.isEndless {
		s.width = max(len(s.text(s.first)), len(s.text(s.last)))
	}
	return s.checkFormat(a)
}

// decimals returns the number of digits behind the point of a number.
func decimals(s string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	n := 0
	_, _ = fmt.Sscan(exponent, &n)
	return max(0, len(fraction)-n)
}

func (s *sequence) checkFormat(a command.Arguments) error {
	switch {
	case s.format == "":
		return nil
	case a.Has("-w"):
		return command.UsageError("format string may not be specified when printing equal width strings")
	}
	plain := strings.ReplaceAll(s.format, "%%", "")
	_, rest, ok := strings.Cut(plain, "%")
	if !ok {
		return errors.New("format ‘" + s.format + "’ has no % directive")
	}
	v, rest := format.Parse(rest, func() int { return 0 })
	switch {
	case v.Letter == 0 || strings.IndexByte("aefgAEFG", v.Letter) < 0:
		return fmt.Errorf("format ‘%s’ has unknown %%%c directive", s.format, v.Letter)
	case strings.Contains(rest, "%"):
		return errors.New("format ‘" + s.format + "’ has too many % directives")
	case v.Size() > 1<<12:
		return command.Refuse("seq -f %s: the width is too large here", s.format)
	}
	return nil
}

func (s *sequence) run(c *command.Call) {
	isFirst := true
	direction := s.step.Sign()
	for n := new(big.Int).Set(s.first); ; n.Add(n, s.step) {
		c.Account.Tick()
		if !s.isEndless && n.Cmp(s.last)*direction > 0 {
			break
		}
		if !isFirst {
			c.Out.WriteString(s.separator)
		}
		isFirst = false
		c.Out.WriteString(s.formatted(n))
	}
	if !isFirst {
		c.Out.WriteByte('\n')
	}
}

func (s *sequence) formatted(n *big.Int) string {
	if s.format != "" {
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.scale)), nil)
		value, _ := new(big.Rat).SetFrac(n, power).Float64()
		text := strings.ReplaceAll(s.format, "%%", "\x00")
		before, after, _ := strings.Cut(text, "%")
		v, rest := format.Parse(after, nil)
		return strings.ReplaceAll(before+v.Float(value)+rest, "\x00", "%")
	}
	text := s.text(n)
	if missing := s.width - len(text); missing > 0 {
		sign := ""
		if strings.HasPrefix(text, "-") {
			sign, text = "-", text[1:]
		}
		return sign + strings.Repeat("0", missing) + text
	}
	return text
}

// text returns a number with the decimals that are shown.
func (s *sequence) text(n *big.Int) string {
	digits := new(big.Int).Abs(n).String()
	if missing := s.scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - s.scale
	text := digits[:point]
	if s.decimals > 0 {
		text += "." + digits[point:point+s.decimals]
	}
	if n.Sign() < 0 {
		return "-" + text
	}
	return text
}
