# frozen_string_literal: true

# Writes every result that Minitest records, one JSON object a line, to minitest.jsonl in the folder above this file's.
#
# It loads no library, since a program that forgot a `require` must not find it done, and it takes itself out of the
# environment: what the tested program starts sees the variables that the human set.
module Minitest
  # A reporter beside the runner's own; it says nothing about whether the run passed.
  class KenshuReport < AbstractReporter
    FOLDER = File.dirname(File.dirname(__FILE__))

    def initialize
      super
      @process = Process.pid
      @run = "#{@process}-#{object_id}"
      @file = IO.for_fd(IO.sysopen(File.join(FOLDER, "minitest.jsonl"), "a"), "a")
      @begun = false
      write(:load, :pid => @process, :parent => Process.ppid)
    end

    def leave_environment
      %w[RUBYLIB BUNDLER_ORIG_RUBYLIB].each do |name|
        next unless ENV[name]
        rest = ENV[name].split(File::PATH_SEPARATOR) - [FOLDER]
        rest.empty? ? ENV.delete(name) : ENV[name] = rest.join(File::PATH_SEPARATOR)
      end
      $LOAD_PATH.delete(FOLDER)
    end

    # Where the list of reporters is not Minitest's own any more, this one is never started.
    def give_up_unless_begun
      write(:gave_up) unless @begun
    end

    def start
      @begun = true
      write(:begin, :expected => nil)
    end

    def record(result)
      write(
        :test,
        :status => status(result.failures),
        :name => "#{result.respond_to?(:klass) ? result.klass : result.class.name}##{result.name}",
        :file => result.respond_to?(:source_location) ? Array(result.source_location).first : nil,
        :message => first_line(result.failures.reject { |failure| failure.is_a?(Skip) }.first)
      )
    rescue StandardError
      write(:gave_up)
    end

    def report
      write(:end)
    end

    private

    # Minitest counts a test by its first failure. A skip that is followed by a failure is one all the same.
    def status(failures)
      failure = failures.reject { |one| one.is_a?(Skip) }.first
      return failures.empty? ? "passed" : "skipped" if failure.nil?
      failure.is_a?(UnexpectedError) ? "errored" : "failed"
    end

    def first_line(failure)
      failure && failure.message.to_s.strip.lines.first.to_s.chomp[0, 400]
    rescue StandardError
      failure.class.name
    end

    # Children that the tested program forks inherit the reporter, and are not this run.
    def write(event, fields = {})
      return unless Process.pid == @process
      pairs = { :event => event, :run => @run }.merge(fields).map { |key, value| "\"#{key}\":#{json(value)}" }
      @file.syswrite("{#{pairs.join(",")}}\n")
    rescue SystemCallError, IOError
      nil
    end

    def json(value)
      case value
      when nil then "null"
      when Integer then value.to_s
      else "\"#{text(value).gsub(/["\\\u0000-\u001f\u007f]/) { |sign| format("\\u%04x", sign.ord) }}\""
      end
    end

    def text(value)
      value.to_s.encode("UTF-16", :invalid => :replace, :undef => :replace).encode("UTF-8")
    end
  end

  # Another plugin may put reporters of its own in the place of all others; this one comes when all have done their work.
  def self.plugin_kenshu_init(_options)
    report = KenshuReport.new
    report.leave_environment
    after_run { report.give_up_unless_begun }
    late = Module.new do
      define_method(:start) do
        reporters << report
        super()
      end
    end
    reporter.extend(late)
  rescue SystemCallError
    nil
  end
end
