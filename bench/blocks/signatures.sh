#!/usr/bin/env bash
# Measures what the signatures above matches (47=) cost on the pages of searches:
#   signatures.sh GANDER COUNT FOLDER...
# It searches each folder for COUNT of its words, picked by a fixed seed, and prints how many of the
# searches have more than three matches on one page, which part of their text the signatures are,
# and which part of a full page of 40,000 characters they are at most. Then it searches with 20
# lines of context, and prints how many of the results that are whole without context are not.
set -euo pipefail
gander=$1 count=$2
shift 2
for folder; do
  cd "$folder"
  mapfile -t words < <(grep -rhoIE '\b[A-Za-z_]{6,}\b' . | LC_ALL=C sort | uniq -c |
    awk '$1 > 3 && $1 <= 100 { print $2 }' |
    shuf -n "$count" --random-source=<(yes 48))
  for word in "${words[@]}"; do
    "$gander" search -F "$word" > /tmp/page.$$ || continue
    "$gander" search -F "$word" --context 20 > /tmp/near.$$
    awk -v word="$word" '
      FNR == 1 { file++ }
      file == 1 { all += length + 1; results += /^[0-9]+\t/ }
      file == 1 && /^[0-9]+=/ { heads += length + 1 }
      file == 2 && FNR == 1 { less = /does not fit/ }
      file == 2 { near += /^[0-9]+\t/ }
      END { print all + 0, heads + 0, results + 0, near + 0, less + 0 }
    ' /tmp/page.$$ /tmp/near.$$
  done | awk -v folder="$folder" '
    $3 > 3 {
      pages++; all += $1; heads += $2
      most = most > $2 / 400 ? most : $2 / 400
      hidden += $4 < $3; less += $5
    }
    END {
      printf "%s: %d pages, signatures are %.1f %% of their text, at most %.1f %% of a full page; ",
        folder, pages, 100 * heads / all, most
      printf "with context %d show fewer matches, %d less context and say so\n", hidden, less
    }'
  cd - > /dev/null
done
rm -f /tmp/page.$$ /tmp/near.$$
