//! `kenshu attach`: a screenshot or any file as evidence.

use kenshu_host::files;
use kenshu_model::words::doing;
use kenshu_report::words::commands as words;
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
        return Err(Failure::usage(&words::SAYS_EMPTY));
    }
    let bytes = files::read_whole(&args.file, &doing::READ_ATTACHMENT, BYTES_MAX)?;
    let record = Record::open(world, &project)?;
    let entry = record.attach(&args.file, &args.says, &bytes, world)?;
    world.print(&if world.global.json {
        let file = args.file.display().to_string();
        format!(
            "{}\n",
            json!({ "schema": "kenshu/attach/1", "ledger": entry, "file": file, "says": args.says })
        )
    } else {
        world.row(&words::ATTACHED, entry)
    });
    Ok(exit::OK)
}
