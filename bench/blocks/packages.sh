#!/usr/bin/env bash
# Fetches the packages whose files bench/blocks reads, and the parsers that functions.mjs needs:
#   packages.sh FOLDER
# FOLDER/packages then has each package in a folder named with its version. The lists have the
# versions that were measured: of upstream for sources of Debian 12, and those of Debian and npm
# for the others. It needs apt-get with deb-src entries, npm, and perl with PPI (libppi-perl).
set -euo pipefail
sources=(
  abcde=2.9.3 abseil=20220623.1 ack=3.6.0 antlr4=4.7.2 apache-log4j2=2.19.0 awesome=4.3
  bash-completion=2.11 busybox=1.35.0 commons-io=2.11.0 composer=2.5.5 dash=0.5.12
  dbus-sharp=0.8.1 debootstrap=1.0.128+nmu2+deb12u2 devscripts=2.23.4+deb12u2 doctest=0.18.2
  dokuwiki=0.0.20220731.a dracut=059 elixir-lang=1.14.0.dfsg flatbuffers=2.0.8+dfsg1
  fmtlib=9.1.0+ds1 golang-github-fatih-color=1.7.0 golang-github-gin-gonic-gin=1.8.1
  golang-github-gorilla-mux=1.8.0 golang-github-pkg-errors=0.9.1 golang-github-spf13-afero=1.9.3
  golang-github-spf13-cobra=1.6.1 golang-github-spf13-viper=1.10.1
  golang-github-urfave-cli-v2=2.3.0 golang-golang-x-net=0.7.0+dfsg golang-logrus=1.9.0
  golang-testify=1.8.1 googletest=1.12.1 httpcomponents-client=4.5.14
  initramfs-tools=0.142+deb12u3 jackson-core=2.14.1 jinja2=3.1.2 jsoup=1.15.3 junit4=4.13.2
  keepass2=2.47+dfsg kotlinx-coroutines=1.0.1 leveldb=1.23 libcommons-collections4-java=4.2
  libcommons-lang3-java=3.12.0 libdatetime-perl=1.59 libdbi-perl=1.643 libevent=2.1.12-stable
  libimage-exiftool-perl=12.57+dfsg liblist-moreutils-perl=0.430 libmojolicious-perl=9.31+dfsg
  libmoose-perl=2.2203 libpng1.6=1.6.39 libppi-perl=1.276 libtemplate-perl=2.27 libuv1=1.44.2
  libwww-perl=6.68 lua-argparse=0.7.1 lua-cqueues=20200726 lua-http=0.4 lua-lpeg=1.0.2
  lua-say=1.4.1 lua5.4=5.4.4 luarocks=3.8.0+dfsg1 mockito=2.23.0 mosh=1.4.0 nano=7.2
  newtonsoft-json=6.0.8+dfsg nginx=1.22.1 ninja-build=1.11.1 nunit=2.6.4+dfsg
  pacman-package-manager=6.0.2 perltidy=20220613 pglogical=2.4.2 pgmemcache=2.3.0
  php-guzzlehttp-psr7=2.4.5 php-monolog=2.9.1 php-parser=4.15.4 php-twig=3.5.1 phpunit=9.6.7
  poppler=22.12.0 pugixml=1.13 rabbitmq-server=3.10.8 re2=20220601+dfsg redis=7.0.15
  rubocop=1.39.0+dfsg ruby-devise=4.8.1 ruby-nokogiri=1.13.10+dfsg rust-clap=4.0.32
  rust-fd-find=8.6.0 rust-rand=0.8.5 rust-ripgrep=13.0.0 rust-serde=1.0.152 scala=2.11.12
  snappy=1.1.9 symfony=5.4.53+dfsg taglib=1.13 thrift=0.17.0 tinyxml2=9.0.0+dfsg tmux=3.3a vis=0.8
  xz-utils=5.4.1 zlib=1.2.13.dfsg zxing=3.4.1+ds
)
programs=(
  awesome=4.3-7 lua-penlight=1.13.1-3 luakit=1:2.3.3-1 postgresql-15-orafce=4.1.1-1
  postgresql-15-partman=4.7.2-1 postgresql-15-pgq3=3.5-1+b1
  postgresql-15-pgrouting-scripts=3.4.2-1 postgresql-15-pgtap=1.2.0-3
  postgresql-15-postgis-3-scripts=3.3.2+dfsg-1 postgresql-15=15.20-0+deb12u1
  prosody=0.12.3-1+deb12u1 python3-babel=2.10.3-1 python3-click=8.1.3-2
  python3-django=3:3.2.25-0+deb12u7 python3-docutils=0.19+dfsg-6 python3-jsonschema=4.10.3-1
  python3-networkx=2.8.8-1 python3-paramiko=2.12.0-2 python3-pip=23.0.1+dfsg-1
  python3-pygments=2.14.0+dfsg-1 python3-requests=2.28.1+dfsg-1 python3-sphinx=5.3.0-4
  python3-sqlalchemy=1.4.46+ds1-1 ruby-actionpack=2:6.1.7.10+dfsg-1~deb12u4
  ruby-activerecord=2:6.1.7.10+dfsg-1~deb12u4 ruby-faker=2.21.0-1 ruby-mail=2.7.1+dfsg1-2
  ruby-rails-html-sanitizer=1.4.4-1 ruby-sequel=5.63.0-1 ruby-thor=1.2.1-2
  vlc-data=3.0.24-0+deb12u1
)
npm=(
  @capacitor/android@8.5.2 @capacitor/camera@8.2.4 @capacitor/ios@8.5.2 ajv@8.20.0 animate.css
  animate.css@4.1.1 bootstrap bootstrap@5.3.8 bulma bulma@1.0.4 clean-css@5.3.3 commander@15.1.0
  css@3.0.0 date-fns date-fns@4.1.0 debug@4.4.3 expo-application@57.0.3 expo-asset@58.0.7
  expo-constants@58.0.7 expo-dev-launcher@57.0.20 expo-dev-menu@57.0.18 expo-file-system@58.0.2
  expo-font@58.0.2 expo-haptics@57.0.3 expo-image@58.0.4 expo-manifests@57.0.2
  expo-modules-autolinking@58.0.4 expo-modules-core@58.0.7 expo-router@58.0.6
  expo-splash-screen@57.0.9 expo-web-browser@57.0.3 express express@4.21.2 font-awesome
  glob@14.0.6 jquery jquery@3.7.1 lodash lodash@4.17.21 minimatch@11.0.9 nano-css@5.6.2
  picomatch@4.0.7 postcss@8.5.33 react-native-blob-util@0.25.1 react-native-device-info@15.0.2
  react-native-gesture-handler@3.5.0 react-native-keyboard-controller@1.22.5
  react-native-maps@1.29.11 react-native-mmkv@4.3.2 react-native-pager-view@9.0.5
  react-native-permissions@5.6.2 react-native-reanimated@4.7.1
  react-native-safe-area-context@5.10.1 react-native-screens@4.28.0 react-native-share@12.3.1
  react-native-svg@15.15.5 react-native-tab-view@4.3.3 react-native-view-shot@6.0.1
  react-native-vision-camera@5.2.3 react-native-web@0.21.4 react-native-webview@16.0.0
  react-router readable-stream@4.8.0 rxjs rxjs@7.8.2 sanitize.css@13.0.0 semver@7.8.6
  source-map@0.8.0 swiper swiper@11.2.10 tailwindcss@4.3.5 three uuid@14.0.3 zod
)
mkdir -p "$1/packages"
cd "$1"
npm install --ignore-scripts tree-sitter-wasms@0.1.13 web-tree-sitter@0.25.10 \
  tree-sitter-bash@0.25.1 tree-sitter-make@1.1.1 libpg-query@18.1.5
cd packages

# unpack PACKAGE FETCH...: FETCH fetches a package and unpacks it in the current folder.
unpack() {
  local name=${1//\//+}
  [[ -e $name ]] && return
  mkdir "$name.new"
  (cd "$name.new" && "${@:2}" > /dev/null && rm -f ./*.tgz ./*.deb ./*.tar.*) &&
    mv "$name.new" "$name" || echo "$1: not fetched" >&2
}
source_of() {
  apt-get source -qq --download-only --tar-only "$1" &&
    for archive in *.tar.*; do tar xf "$archive"; done
}
program() { apt-get download -qq "$1" && dpkg-deb -x ./*.deb .; }
npm_package() { npm pack --silent "$1" && tar xf ./*.tgz; }
for p in "${sources[@]}"; do unpack "$p" source_of "${p%=*}"; done
for p in "${programs[@]}"; do unpack "$p" program "$p"; done
for p in "${npm[@]}"; do unpack "$p" npm_package "$p"; done
