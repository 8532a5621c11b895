# Installs a formula as Homebrew does: ruby brew.rb FORMULA ARCHIVE PREFIX. It knows the words of Homebrew's language that the formula
# uses, takes the archive from a file instead of the network, checks it, and runs the formula's test.
require "digest"
require "fileutils"
require "pathname"

formula, archive, prefix = ARGV
PREFIX = Pathname.new(prefix)

class Pathname
  def install(sources)
    mkpath
    sources = {sources => nil} if sources.is_a?(String)
    raise "nothing to install in #{self}" if sources.empty?
    sources.each { |from, to| FileUtils.cp(from, self + (to || File.basename(from))) }
  end
end

class Formula
  class << self
    attr_reader :source, :checks

    %w[desc homepage license].each { |word| define_method(word) { |text| raise "#{word} is empty" if text.empty? } }

    def version(text = nil) = @version = text || @version
    def url(text) = @source = {url: text}
    def sha256(text) = @source[:sum] = text
    def test(&block) = @checks = block
    def on_macos = (yield if RUBY_PLATFORM.include?("darwin"))
    def on_linux = (yield if RUBY_PLATFORM.include?("linux"))
    def on_intel = (yield if RUBY_PLATFORM.include?("x86_64"))
    def on_arm = (yield if RUBY_PLATFORM.match?(/aarch64|arm64/))
  end

  def version = self.class.version
  def prefix = PREFIX
  def bin = PREFIX + "bin"
  def man1 = PREFIX + "share/man/man1"
  def bash_completion = PREFIX + "etc/bash_completion.d"
  def fish_completion = PREFIX + "share/fish/vendor_completions.d"
  def zsh_completion = PREFIX + "share/zsh/site-functions"
  def shell_output(command) = `#{command}`
  def assert_equal(want, got) = want == got || raise("#{got.inspect}, want #{want.inspect}")
end

load formula
source = Gander.source or raise "no archive for #{RUBY_PLATFORM}"
raise "the formula installs #{source[:url]}" if File.basename(source[:url]) != File.basename(archive)
raise "the formula has another checksum" if source[:sum] != Digest::SHA256.file(archive).hexdigest
unpacked = PREFIX + "unpacked"
unpacked.mkpath
system("tar", "-xzf", archive, "-C", unpacked.to_s, "--strip-components=1") or raise "tar failed"
Dir.chdir(unpacked) { Gander.new.install }
Gander.new.instance_exec(&Gander.checks)
