#!/usr/bin/env bash
# usage: corpus.sh DIR
# Fills a directory with real documents from packages of Debian, and with presentations that LibreOffice
# makes of its templates. Then GANDER_DOCUMENTS=DIR go test -run Recall compares their texts.
set -euo pipefail
dir=$1
mkdir -p "$dir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download r-cran-officer r-cran-readxl r-cran-openxlsx r-cran-rio libreoffice-dev-doc \
	libreoffice-common python3-docx
for package in *.deb; do dpkg -x "$package" files; done
n=0
while IFS= read -r file; do
	n=$((n + 1))
	name=$(basename "$file")
	cp "$file" "$dir/$n-$(tr ' ' _ <<<"${name/%.ot/.od}")"
done < <(find files \( -name '*.docx' -o -name '*.pptx' -o -name '*.xlsx' -o -name '*.od[tsp]' \) -size -2M | sort)
for template in $(find files /usr/lib/libreoffice/share/template -name '*.otp' | sort | head -20); do
	name=$(basename "$template" .otp)
	cp "$template" "$dir/$name.odp"
	soffice "-env:UserInstallation=file://$work/profile" --headless --convert-to pptx --outdir "$dir" \
		"$template" >/dev/null
done
echo "$dir: $(find "$dir" -type f | wc -l) documents"
