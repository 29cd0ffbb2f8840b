//! `kenshu count`: the tally of an output, a report, or a command that is run.

use std::path::Path;

use kenshu_gate::base;
use kenshu_gate::measure::{Plan, measure};
use kenshu_host::files;
use kenshu_host::project::Project;
use kenshu_host::store::Stored;
use kenshu_model::note::NoBaseRun;
use kenshu_model::words::doing;
use kenshu_model::{Count, Exit, Message};
use kenshu_readers::{Context, readers};
use kenshu_report::terminal::Facts;
use kenshu_report::words::commands as words;
use kenshu_report::{json, notes, terminal};

use crate::args::CountArgs;
use crate::exit;
use crate::wiring::{Answer, Failure, World, duration};

/// Counts and prints.
pub(crate) fn run(world: &World, args: &CountArgs) -> Answer {
    let runner = runner(args)?;
    if args.argv.is_empty() { of_file(world, args, runner) } else { of_command(world, args, runner) }
}

fn runner(args: &CountArgs) -> Result<Option<&'static str>, Failure> {
    match &args.runner {
        None => Ok(None),
        Some(name) => readers::by_id(name)
            .map(|reader| Some(reader.id))
            .ok_or_else(|| Failure::usage(Message::new(&words::BAD_RUNNER, [name]))),
    }
}

fn of_file(world: &World, args: &CountArgs, runner: Option<&'static str>) -> Answer {
    let stored = read_input(args.file.as_deref())?;
    let exit = match (args.exit_code, args.signal) {
        (Some(code), _) => Some(Exit::Code(code)),
        (None, Some(signal)) => Some(Exit::Signal(signal)),
        (None, None) => None,
    };
    let context = Context {
        command: args.command.as_deref(),
        runner,
        exit,
        dropped: stored.dropped.is_some(),
        ..Context::default()
    };
    if let Some(dropped) = &stored.dropped {
        world.say(&world.words(&words::BYTES_NOT_KEPT, [&dropped.bytes]));
    }
    let facts = Facts { is_empty: stored.bytes.trim_ascii().is_empty(), ..Facts::default() };
    if facts.is_empty {
        world.say(&world.words(&words::EMPTY_INPUT, []));
    }
    let count = kenshu_readers::count(&stored.bytes, &context);
    let text = if world.global.json {
        json::count(&count, None)
    } else {
        terminal::count(&count, &facts, world.lang, world.layout())
    };
    world.print(&text);
    Ok(exit::of_count(&count))
}

/// The file, or stdin for `-` and for no file at all.
fn read_input(file: Option<&Path>) -> Result<Stored, Failure> {
    match file {
        Some(path) if path != Path::new("-") => Ok(files::read(path, &doing::READ_OUTPUT)?),
        Some(_) => Ok(files::read_stdin()?),
        None if kenshu_host::terminal::is_terminal(kenshu_host::terminal::Stream::Stdin) => {
            Err(Failure::usage(&words::NOTHING_TO_COUNT))
        }
        None => Ok(files::read_stdin()?),
    }
}

fn of_command(world: &World, args: &CountArgs, runner: Option<&'static str>) -> Answer {
    let project = world.project()?;
    let cwd = match &world.global.project {
        Some(_) => project.root.clone(),
        None => {
            std::env::current_dir().map_err(|error| Failure::usage(Message::new(&words::NO_CWD, [&error])))?
        }
    };
    let plan = Plan {
        argv: args.argv.clone(),
        cwd,
        env: Vec::new(),
        time_limit: duration("--timeout", &args.timeout)?,
        inject: true,
        needs_ci: false,
        runners: runner.into_iter().collect(),
        fresh: args.fresh,
    };
    world.say(world.row(&words::RUNNING, args.argv.join(" ")).trim_end());
    let mut live = world.progress();
    let measured = measure(&plan, &world.environment, &mut |event| live.event(event));
    live.clear();
    measured
        .notes
        .iter()
        .for_each(|note| world.say(world.row(&words::NOTE, notes::text(note, world.lang)).trim_end()));
    let facts = Facts {
        seconds: Some(measured.seconds),
        is_empty: measured.output.trim_ascii().is_empty(),
        ..Facts::default()
    };
    let at_base = match &args.base {
        Some(reference) => Some(count_at_base(world, &project, reference, &plan)?),
        None => None,
    };
    let base = at_base.as_ref().map(|(commit, counted)| {
        (commit.as_str(), counted.as_ref().map_err(|why| notes::no_base_run(why, world.lang)))
    });
    if world.global.json {
        world.print(&json::count(&measured.count, base));
    } else {
        world.print(&terminal::count(&measured.count, &facts, world.lang, world.layout()));
        match base {
            Some((commit, Ok(count))) => {
                world.say(world.row(&words::BASE, commit).trim_end());
                world.print(&terminal::count(count, &Facts::default(), world.lang, world.layout()));
            }
            Some((commit, Err(why))) => {
                let text = world.words(&words::BASE_NOT_COUNTED, [&commit, &why]);
                world.say(world.row(&words::BASE, text).trim_end());
            }
            None => {}
        }
    }
    Ok(exit::of_count(&measured.count))
}

type AtBase = (String, Result<Count, NoBaseRun>);

fn count_at_base(world: &World, project: &Project, reference: &str, plan: &Plan) -> Result<AtBase, Failure> {
    let base = base::choose(project.git.as_ref(), Some(reference))?;
    let commit = base.commit.unwrap_or_default();
    let mut live = world.progress();
    let counted = base::run_at(project, &commit, plan, &world.environment, &mut |event| live.event(event));
    live.clear();
    Ok((commit, counted))
}
