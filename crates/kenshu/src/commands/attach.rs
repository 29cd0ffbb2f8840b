//! `kenshu attach`: a screenshot or any file as evidence.

use kenshu_host::files;
use serde_json::json;

use crate::args::AttachArgs;
use crate::exit;
use crate::record::Record;
use crate::wiring::{Answer, Failure, World};

/// The largest file that is kept: a screen recording of a minute.
const BYTES_MAX: u64 = 64 << 20;

/// Keeps it.
pub(crate) fn run(world: &World, args: &AttachArgs) -> Answer {
    let project = world.project()?;
    if args.says.trim().is_empty() {
        return Err(Failure::usage("--says is empty; write what the file shows"));
    }
    let bytes = files::read_if_there(&args.file, "read the file to attach", BYTES_MAX)?.ok_or_else(|| {
        Failure::usage(format!(
            "could not read the file to attach: {}: it does not exist",
            args.file.display()
        ))
    })?;
    let record = Record::open(world, &project)?;
    let entry = record.attach(&args.file, &args.says, &bytes, world)?;
    world.print(&if world.global.json {
        let file = args.file.display().to_string();
        format!(
            "{}\n",
            json!({ "schema": "kenshu/attach/1", "ledger": entry, "file": file, "says": args.says })
        )
    } else {
        format!("attached  {entry}\n")
    });
    Ok(exit::OK)
}
