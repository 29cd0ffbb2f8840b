# frozen_string_literal: true

# Writes what RSpec tells its listeners, one JSON object a line, to rspec.jsonl beside this file.
#
# It loads no library, since a program that forgot a `require` must not find it done, and it takes itself out of the
# environment: the tested program and what it starts see the variables that the human set.
class KenshuRspecReport
  EVENTS = [:start, :example_passed, :example_failed, :example_pending, :dump_summary, :close].freeze

  RAISED = {}.compare_by_identity

  # Notes which examples raised, before a hook of the project can take the exception away. It stands in no backtrace.
  module Witness
    def set_exception(*arguments)
      RAISED[self] = arguments.first.class.name
      super
    end
  end

  def initialize
    @process = Process.pid
    @run = "#{@process}-#{object_id}"
    @file = IO.for_fd(IO.sysopen(File.join(File.dirname(__FILE__), "rspec.jsonl"), "a"), "a")
    @begun = false
    write(:load, :pid => @process, :parent => Process.ppid)
  end

  def listen
    # The reporter itself would fix the output stream, which a spec_helper may still set.
    RSpec.configuration.formatter_loader.reporter.register_listener(self, *EVENTS)
    at_exit { write(:gave_up) unless @begun }
    watch
  rescue StandardError
    write(:gave_up)
  end

  def leave_environment
    option = "'-r#{__FILE__}'"
    rest = ENV["SPEC_OPTS"].to_s.sub(option, "").strip
    rest.empty? ? ENV.delete("SPEC_OPTS") : ENV["SPEC_OPTS"] = rest
  end

  def start(notification)
    @begun = true
    write(:begin, :expected => notification.count, :dry => RSpec.configuration.dry_run? ? 1 : 0)
  end

  def example_passed(notification)
    example("passed", notification)
  end

  def example_failed(notification)
    example("failed", notification)
  end

  def example_pending(notification)
    example("skipped", notification)
  end

  def dump_summary(summary)
    outside = summary.respond_to?(:errors_outside_of_examples_count) ? summary.errors_outside_of_examples_count : 0
    write(
      :sum,
      :tests => summary.example_count,
      :failed => summary.failure_count,
      :skipped => summary.pending_count,
      :outside => outside
    )
  end

  def close(_notification)
    write(:end)
  end

  private

  def watch
    return unless RSpec::Core::Example.method_defined?(:set_exception)
    RSpec::Core::Example.send(:prepend, Witness)
    # What tries an example again runs it from the beginning: only its last try counts.
    RSpec.configuration.prepend_before(:each) { |example| RAISED.delete(example) }
  end

  def example(status, notification)
    example = notification.example
    write(
      :test,
      :status => status,
      :name => example.full_description,
      :file => example.metadata[:file_path],
      :message => status == "failed" ? first_line(example.exception) : nil,
      :raised => RAISED.delete(example)
    )
  rescue StandardError
    write(:gave_up)
  end

  def first_line(exception)
    exception.message.to_s.strip.lines.first.to_s.chomp[0, 400]
  rescue StandardError
    exception.class.name
  end

  # Children that the tested program forks inherit the listener, and are not this run.
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

begin
  report = KenshuRspecReport.new
  report.leave_environment
  report.listen
rescue SystemCallError
  nil
end
