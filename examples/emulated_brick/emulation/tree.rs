//! The file system: names, numbers and modes of the files, without a cache anywhere.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fuser::{
    BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, IoctlFlags,
    LockOwner, OpenFlags, ReplyAttr, ReplyData, ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyIoctl, ReplyOpen,
    ReplyWrite, Request, TimeOrNow, WriteFlags,
};

use super::crane::Crane;
use super::files::{self, File};

/// Files come and go with the cables.
const NOT_KEPT: Duration = Duration::ZERO;
/// What every attribute of sysfs says.
const SIZE: u64 = 4096;

/// A file or a folder; its place in the list is its number, less one.
struct Node {
    name: String,
    parent: usize,
    mode: u16,
    /// None for a folder.
    file: Option<File>,
}

/// The folder that is mounted.
pub struct Tree {
    crane: Crane,
    nodes: Vec<Node>,
    /// What each open file gives: the value at the time when it was read from its beginning, as in sysfs.
    open: Mutex<HashMap<u64, Vec<u8>>>,
    handles: Mutex<u64>,
}

impl Tree {
    pub fn new(crane: Crane) -> Tree {
        let mut nodes = vec![Node {
            name: String::new(),
            parent: 0,
            mode: 0o755,
            file: None,
        }];
        for (path, mode, file) in files::all() {
            let mut parent = 0;
            let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
            for folder in folders.split('/') {
                let there = nodes
                    .iter()
                    .position(|node| node.parent == parent && node.name == folder);
                parent = there.unwrap_or_else(|| {
                    nodes.push(Node {
                        name: folder.to_string(),
                        parent,
                        mode: 0o755,
                        file: None,
                    });
                    nodes.len() - 1
                });
            }
            nodes.push(Node {
                name: name.to_string(),
                parent,
                mode,
                file: Some(file),
            });
        }
        Tree {
            crane,
            nodes,
            open: Mutex::default(),
            handles: Mutex::default(),
        }
    }

    fn node(&self, number: INodeNo) -> Result<(usize, &Node), Errno> {
        let index = usize::try_from(number.0).ok().and_then(|number| number.checked_sub(1));
        let found = index.and_then(|index| Some((index, self.nodes.get(index)?)));
        found.ok_or(Errno::ENOENT)
    }

    fn children(&self, parent: usize) -> impl Iterator<Item = (usize, &Node)> {
        let nodes = self.nodes.iter().enumerate().skip(1);
        nodes.filter(move |(_, node)| node.parent == parent)
    }

    /// Whether a file is there, or a folder any of whose files is.
    fn is_there(&self, index: usize) -> bool {
        let Some(node) = self.nodes.get(index) else {
            return false;
        };
        match node.file.clone() {
            Some(file) => self
                .crane
                .with(move |machine| files::is_there(machine, &file))
                .unwrap_or(false),
            // The first file of a folder stands for all.
            None => self
                .children(index)
                .next()
                .is_none_or(|(child, _)| self.is_there(child)),
        }
    }

    fn file(&self, number: INodeNo) -> Result<File, Errno> {
        let (_, node) = self.node(number)?;
        node.file.clone().ok_or(Errno::EISDIR)
    }

    fn attributes(&self, index: usize) -> Result<FileAttr, Errno> {
        let node = self.nodes.get(index).ok_or(Errno::ENOENT)?;
        if !self.is_there(index) {
            return Err(Errno::ENOENT);
        }
        Ok(FileAttr {
            ino: INodeNo(index as u64 + 1),
            size: SIZE,
            blocks: 0,
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind: kind(node),
            perm: node.mode,
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            blksize: SIZE as u32,
            flags: 0,
        })
    }

    /// What is read at an offset.
    fn bytes(&self, number: INodeNo, handle: u64, offset: u64, size: u32) -> Result<Vec<u8>, Errno> {
        let file = self.file(number)?;
        let mut open = self.open.lock().map_err(|_| Errno::EIO)?;
        if offset == 0 {
            let value = self.crane.with(move |machine| files::read(machine, &file));
            open.insert(handle, value.map_err(|_| Errno::EIO)??);
        }
        let value = open.get(&handle).map_or(&[][..], Vec::as_slice);
        let start = value.len().min(usize::try_from(offset).unwrap_or(usize::MAX));
        let end = value.len().min(start + size as usize);
        Ok(value[start..end].to_vec())
    }
}

fn kind(node: &Node) -> FileType {
    match node.file {
        Some(_) => FileType::RegularFile,
        None => FileType::Directory,
    }
}

impl Filesystem for Tree {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let found = self.node(parent).and_then(|(parent, _)| {
            let child = self.children(parent).find(|(_, node)| node.name.as_str() == name);
            self.attributes(child.ok_or(Errno::ENOENT)?.0)
        });
        match found {
            Ok(attributes) => reply.entry(&NOT_KEPT, &attributes, Generation(0)),
            Err(error) => reply.error(error),
        }
    }

    fn getattr(&self, _: &Request, number: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.node(number).and_then(|(index, _)| self.attributes(index)) {
            Ok(attributes) => reply.attr(&NOT_KEPT, &attributes),
            Err(error) => reply.error(error),
        }
    }

    /// Opening a file to be truncated comes here, and does nothing.
    fn setattr(
        &self,
        request: &Request,
        number: INodeNo,
        _mode: Option<u32>,
        _uid: Option<u32>,
        _gid: Option<u32>,
        _size: Option<u64>,
        _atime: Option<TimeOrNow>,
        _mtime: Option<TimeOrNow>,
        _ctime: Option<SystemTime>,
        handle: Option<FileHandle>,
        _crtime: Option<SystemTime>,
        _chgtime: Option<SystemTime>,
        _bkuptime: Option<SystemTime>,
        _flags: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        self.getattr(request, number, handle, reply);
    }

    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        let Ok(mut handles) = self.handles.lock() else {
            return reply.error(Errno::EIO);
        };
        *handles += 1;
        // Every read and write comes here, and a write replaces the value.
        reply.opened(FileHandle(*handles), FopenFlags::FOPEN_DIRECT_IO);
    }

    fn read(
        &self,
        _: &Request,
        number: INodeNo,
        handle: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        match self.bytes(number, handle.0, offset, size) {
            Ok(bytes) => reply.data(&bytes),
            Err(error) => reply.error(error),
        }
    }

    fn write(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let bytes = data.to_vec();
        let written = self.file(number).and_then(|file| {
            let done = self
                .crane
                .with(move |machine| files::write(machine, &file, offset, &bytes));
            done.map_err(|_| Errno::EIO)?
        });
        match written {
            Ok(()) => reply.written(data.len() as u32),
            Err(error) => reply.error(error),
        }
    }

    fn release(
        &self,
        _: &Request,
        _: INodeNo,
        handle: FileHandle,
        _: OpenFlags,
        _: Option<LockOwner>,
        _: bool,
        reply: ReplyEmpty,
    ) {
        if let Ok(mut open) = self.open.lock() {
            open.remove(&handle.0);
        }
        reply.ok();
    }

    fn readdir(&self, _: &Request, number: INodeNo, _: FileHandle, offset: u64, mut reply: ReplyDirectory) {
        let index = match self.node(number) {
            Ok((index, _)) => index,
            Err(error) => return reply.error(error),
        };
        let own = [(index, FileType::Directory, "."), (index, FileType::Directory, "..")];
        let children = self.children(index).filter(|(child, _)| self.is_there(*child));
        let entries = children.map(|(child, node)| (child, kind(node), node.name.as_str()));
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        for (place, (child, kind, name)) in own.into_iter().chain(entries).enumerate().skip(skipped) {
            if reply.add(INodeNo(child as u64 + 1), place as u64 + 1, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    /// Asks of the keys are answered with zeros: none is down.
    fn ioctl(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        _: IoctlFlags,
        _: u32,
        _: &[u8],
        out_size: u32,
        reply: ReplyIoctl,
    ) {
        match self.file(number) {
            Ok(File::Keys) => reply.ioctl(0, &vec![0; out_size as usize]),
            _ => reply.error(Errno::ENOTTY),
        }
    }
}
