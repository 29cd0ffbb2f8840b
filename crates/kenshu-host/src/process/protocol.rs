//! What Kenshu and the supervisor of a command say to each other over one socket.
//!
//! Kenshu → supervisor: the request with the command's standard streams, later single bytes, each the number of a
//! signal that Kenshu got. End of file means that Kenshu is gone. Supervisor → Kenshu: [`Report`]s.

use std::{
    ffi::OsString,
    io::{self, IoSlice, IoSliceMut, Read, Write},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStringExt, net::UnixStream},
    },
    time::Duration,
};

use rustix::{
    cmsg_space,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags,
    },
};

/// How a command is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// In a session and a group of its own; nothing of its tree stays.
    Apart,
    /// In our session and group; what it leaves behind stays.
    InOurPlace,
    /// In a session of its own, whose terminal is its standard input; what it leaves behind stays.
    AtTerminal,
}

/// The command; its folder and environment are those of the supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) mode: Mode,
    pub(super) time_limit: Option<Duration>,
    pub(super) grace: Duration,
    pub(super) argv: Vec<OsString>,
}

/// How the supervisor saw the command end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By itself, with this status.
    Code(i32),
    /// By this signal, which was not ours.
    Signal(i32),
    /// By us, at the time limit.
    TimedOut,
    /// By us, since we were asked to stop by this signal.
    Stopped(i32),
}

/// What the supervisor reports, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// The process exists.
    Started { pid: u32 },
    /// It could not be made; the system's error number.
    NotStarted { errno: i32 },
    /// The command itself has ended after this time.
    Ended { how: Ending, after: Duration },
    /// The command was stopped by this signal, to be continued; may come before [`Report::Ended`] any number of times.
    Paused { signal: i32 },
    /// It was continued, as Kenshu had asked.
    Continued,
    /// Nothing more will come.
    Done { leftover: bool },
}

/// Longest request accepted: the system's own limit on arguments is a few MiB at most.
const LONGEST: usize = 64 << 20;
const REPORT_SIZE: usize = 17;

pub(super) fn send_request(
    mut socket: &UnixStream,
    request: &Request,
    streams: [BorrowedFd<'_>; 3],
    terminal: Option<BorrowedFd<'_>>,
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(4))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let descriptors: Vec<BorrowedFd<'_>> = streams.into_iter().chain(terminal).collect();
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    rustix::net::sendmsg(socket, &[IoSlice::new(b"k")], &mut ancillary, SendFlags::empty())?;

    let mut body = vec![match request.mode {
        Mode::Apart => 0,
        Mode::InOurPlace => 1,
        Mode::AtTerminal => 2,
    }];
    body.extend(request.time_limit.map_or(u64::MAX, millis).to_le_bytes());
    body.extend(millis(request.grace).to_le_bytes());
    for word in &request.argv {
        let word = word.as_encoded_bytes();
        body.extend((word.len() as u64).to_le_bytes());
        body.extend(word);
    }
    socket.write_all(&(body.len() as u64).to_le_bytes())?;
    socket.write_all(&body)
}

/// What the supervisor was given besides the request.
pub(super) struct Given {
    /// The command's standard input, output and error.
    pub(super) streams: [OwnedFd; 3],
    /// Kenshu's own terminal, to be given back as it was found if Kenshu cannot do so any more.
    pub(super) terminal: Option<OwnedFd>,
}

/// The request and what came with it.
pub(super) fn receive_request(mut socket: &UnixStream) -> io::Result<(Request, Given)> {
    let mut streams = receive_descriptors(socket)?;
    let terminal = if streams.len() > 3 { streams.pop() } else { None };
    let given = Given { streams: streams.try_into().map_err(|_| broken())?, terminal };
    let mut size = [0; 8];
    socket.read_exact(&mut size)?;
    let size =
        usize::try_from(u64::from_le_bytes(size)).ok().filter(|size| *size <= LONGEST).ok_or_else(broken)?;
    let mut body = vec![0; size];
    socket.read_exact(&mut body)?;

    let mut rest = body.as_slice();
    let mode = match take(&mut rest, 1)? {
        [0] => Mode::Apart,
        [2] => Mode::AtTerminal,
        _ => Mode::InOurPlace,
    };
    let limit = take_number(&mut rest)?;
    let time_limit = (limit != u64::MAX).then_some(Duration::from_millis(limit));
    let grace = Duration::from_millis(take_number(&mut rest)?);
    let mut argv = Vec::new();
    while !rest.is_empty() {
        let length = usize::try_from(take_number(&mut rest)?).map_err(|_| broken())?;
        argv.push(OsString::from_vec(take(&mut rest, length)?.to_vec()));
    }
    Ok((Request { mode, time_limit, grace, argv }, given))
}

fn receive_descriptors(socket: &UnixStream) -> io::Result<Vec<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(4))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    rustix::net::recvmsg(
        socket.as_fd(),
        &mut [IoSliceMut::new(&mut byte)],
        &mut ancillary,
        RecvFlags::empty(),
    )?;
    let mut streams = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            streams.extend(descriptors);
        }
    }
    // Without this the command would inherit a second copy of each, and a pipe would never see its end.
    for stream in &streams {
        rustix::io::fcntl_setfd(stream, rustix::io::FdFlags::CLOEXEC)?;
    }
    Ok(streams)
}

pub(super) fn send_report(mut socket: &UnixStream, report: Report) -> io::Result<()> {
    let (tag, first, second) = match report {
        Report::Started { pid } => (b'P', i64::from(pid), 0),
        Report::NotStarted { errno } => (b'E', i64::from(errno), 0),
        Report::Ended { how, after } => {
            let nanos = i64::try_from(after.as_nanos()).unwrap_or(i64::MAX);
            match how {
                Ending::Code(code) => (b'C', i64::from(code), nanos),
                Ending::Signal(signal) => (b'S', i64::from(signal), nanos),
                Ending::TimedOut => (b'T', 0, nanos),
                Ending::Stopped(signal) => (b'I', i64::from(signal), nanos),
            }
        }
        Report::Paused { signal } => (b'Z', i64::from(signal), 0),
        Report::Continued => (b'R', 0, 0),
        Report::Done { leftover } => (b'D', i64::from(leftover), 0),
    };
    let mut bytes = [0; REPORT_SIZE];
    bytes[0] = tag;
    bytes[1..9].copy_from_slice(&first.to_le_bytes());
    bytes[9..].copy_from_slice(&second.to_le_bytes());
    socket.write_all(&bytes)
}

/// Takes one whole report from the front of what was received so far; `None`: it is not whole yet.
pub(super) fn take_report(received: &mut Vec<u8>) -> io::Result<Option<Report>> {
    if received.len() < REPORT_SIZE {
        return Ok(None);
    }
    let bytes: Vec<u8> = received.drain(..REPORT_SIZE).collect();
    let mut rest = &bytes[1..];
    let first = take_number(&mut rest)?.cast_signed();
    let after = Duration::from_nanos(take_number(&mut rest)?);
    let number = i32::try_from(first).map_err(|_| broken())?;
    Ok(Some(match bytes[0] {
        b'P' => Report::Started { pid: number.unsigned_abs() },
        b'E' => Report::NotStarted { errno: number },
        b'C' => Report::Ended { how: Ending::Code(number), after },
        b'S' => Report::Ended { how: Ending::Signal(number), after },
        b'T' => Report::Ended { how: Ending::TimedOut, after },
        b'I' => Report::Ended { how: Ending::Stopped(number), after },
        b'Z' => Report::Paused { signal: number },
        b'R' => Report::Continued,
        b'D' => Report::Done { leftover: number != 0 },
        _ => return Err(broken()),
    }))
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> io::Result<&'a [u8]> {
    let (first, after) = rest.split_at_checked(count).ok_or_else(broken)?;
    *rest = after;
    Ok(first)
}

fn take_number(rest: &mut &[u8]) -> io::Result<u64> {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(take(rest, 8)?);
    Ok(u64::from_le_bytes(bytes))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the supervisor was not started by this program")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_streams_arrive_as_they_were_sent() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (mut reader, writer) = io::pipe().unwrap();
        let null = std::fs::File::open("/dev/null").unwrap();
        let request = Request {
            mode: Mode::InOurPlace,
            time_limit: None,
            grace: Duration::from_millis(1500),
            argv: vec!["sh".into(), "".into(), OsString::from_vec(vec![0xff, b'\n'])],
        };
        let streams = [null.as_fd(), writer.as_fd(), writer.as_fd()];
        send_request(&ours, &request, streams, Some(null.as_fd())).unwrap();
        drop(writer);
        let (received, given) = receive_request(&theirs).unwrap();
        assert_eq!(received, request);
        assert!(given.terminal.is_some());
        let [_, out, err] = given.streams;
        drop(err);
        std::fs::File::from(out).write_all(b"through").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
    }

    #[test]
    fn reports_arrive_as_they_were_sent_whatever_the_pieces() {
        let reports = [
            Report::Started { pid: 4_194_304 },
            Report::NotStarted { errno: 2 },
            Report::Ended { how: Ending::Code(255), after: Duration::from_nanos(7) },
            Report::Ended { how: Ending::Signal(9), after: Duration::from_hours(48) },
            Report::Ended { how: Ending::TimedOut, after: Duration::ZERO },
            Report::Ended { how: Ending::Stopped(2), after: Duration::ZERO },
            Report::Paused { signal: 20 },
            Report::Continued,
            Report::Done { leftover: true },
        ];
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        for report in reports {
            send_report(&ours, report).unwrap();
        }
        drop(ours);
        let mut bytes = Vec::new();
        theirs.read_to_end(&mut bytes).unwrap();
        let mut received = Vec::new();
        let mut seen = Vec::new();
        for byte in bytes {
            received.push(byte);
            seen.extend(take_report(&mut received).unwrap());
        }
        assert_eq!(seen, reports);
    }

    #[test]
    fn a_request_that_is_none_is_refused() {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        ours.write_all(b"hello").unwrap();
        assert!(receive_request(&theirs).is_err());
        drop(ours);
        assert!(receive_request(&theirs).is_err());
    }
}
