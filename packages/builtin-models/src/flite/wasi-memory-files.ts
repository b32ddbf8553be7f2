// Result codes of WASI preview 1.
const SUCCESS = 0;
const EBADF = 8;
const EINVAL = 28;
const ENOENT = 44;
const ENOSPC = 51;

const DIRECTORY_FD = 3;
const FIRST_FILE_FD = 4;
const DIRECTORY_TYPE = 3;
const REGULAR_FILE_TYPE = 4;
const CHARACTER_DEVICE_TYPE = 2;
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;
const OFLAGS_TRUNCATE = 8;

class MemoryFile {
  size: number;
  private readonly maxBytes: number;
  private bytes: Uint8Array;

  constructor(maxBytes: number, content: Uint8Array = new Uint8Array(0)) {
    this.maxBytes = maxBytes;
    this.bytes = content;
    this.size = content.length;
  }

  contents(): Uint8Array {
    return this.bytes.subarray(0, this.size);
  }

  write(position: number, chunk: Uint8Array): boolean {
    const end = position + chunk.length;
    if (end > this.maxBytes) return false;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.min(this.maxBytes, Math.max(end, this.bytes.length * 2, 65_536)));
      grown.set(this.contents());
      this.bytes = grown;
    }
    this.bytes.set(chunk, position);
    this.size = Math.max(this.size, end);
    return true;
  }
}

/**
 * The file system of a WASI program: one directory with an input and an output file, both in memory. The functions of
 * `imports()` replace node:wasi's file functions, so the program cannot access the disk, no text is written to disk,
 * and a killed process leaves no files. Writes to the standard streams are discarded.
 */
export class WasiMemoryFiles {
  private readonly directory: Uint8Array;
  private readonly memory: () => ArrayBuffer;
  private readonly output: MemoryFile;
  private readonly files: ReadonlyMap<string, MemoryFile>;
  private readonly open = new Map<number, { file: MemoryFile; position: number }>();
  private nextFd = FIRST_FILE_FD;

  /** `memory` returns the program's current memory. A write past `output.maxBytes` fails with ENOSPC. */
  constructor(
    directory: string,
    input: { name: string; content: Uint8Array },
    output: { name: string; maxBytes: number },
    memory: () => ArrayBuffer,
  ) {
    this.directory = new TextEncoder().encode(directory);
    this.memory = memory;
    this.output = new MemoryFile(output.maxBytes);
    this.files = new Map([
      [input.name, new MemoryFile(input.content.length, input.content)],
      [output.name, this.output],
    ]);
  }

  written(): Uint8Array {
    return this.output.contents();
  }

  /** The file functions of `wasi_snapshot_preview1`, which override node:wasi's imports. */
  imports(): Record<string, (...args: never[]) => number> {
    return {
      fd_prestat_get: (fd: number, result: number) => {
        if (fd !== DIRECTORY_FD) return EBADF;
        this.view().setUint8(result, 0);
        this.view().setUint32(result + 4, this.directory.length, true);
        return SUCCESS;
      },
      fd_prestat_dir_name: (fd: number, path: number, length: number) => {
        if (fd !== DIRECTORY_FD) return EBADF;
        new Uint8Array(this.memory(), path, length).set(this.directory.subarray(0, length));
        return SUCCESS;
      },
      fd_fdstat_get: (fd: number, result: number) => {
        const type = this.typeOf(fd);
        if (type === undefined) return EBADF;
        this.view().setUint8(result, type);
        this.view().setUint16(result + 2, 0, true);
        this.view().setBigUint64(result + 8, ALL_RIGHTS, true);
        this.view().setBigUint64(result + 16, ALL_RIGHTS, true);
        return SUCCESS;
      },
      fd_fdstat_set_flags: (fd: number) => (this.typeOf(fd) === undefined ? EBADF : SUCCESS),
      fd_close: (fd: number) => (this.open.delete(fd) ? SUCCESS : EBADF),
      path_open: (
        directoryFd: number,
        _lookup: number,
        path: number,
        length: number,
        flags: number,
        _rights: bigint,
        _inherited: bigint,
        _fdFlags: number,
        result: number,
      ) => {
        if (directoryFd !== DIRECTORY_FD) return EBADF;
        const file = this.files.get(Buffer.from(this.memory(), path, length).toString('latin1'));
        if (!file) return ENOENT;
        if (flags & OFLAGS_TRUNCATE) file.size = 0;
        this.open.set(this.nextFd, { file, position: 0 });
        this.view().setUint32(result, this.nextFd++, true);
        return SUCCESS;
      },
      fd_read: (fd: number, vectors: number, count: number, result: number) => {
        const handle = this.open.get(fd);
        if (!handle) return EBADF;
        let read = 0;
        for (const target of this.vectors(vectors, count)) {
          const chunk = handle.file.contents().subarray(handle.position, handle.position + target.length);
          target.set(chunk);
          handle.position += chunk.length;
          read += chunk.length;
        }
        this.view().setUint32(result, read, true);
        return SUCCESS;
      },
      fd_write: (fd: number, vectors: number, count: number, result: number) => {
        const handle = this.open.get(fd);
        if (!handle && this.typeOf(fd) !== CHARACTER_DEVICE_TYPE) return EBADF;
        let written = 0;
        for (const chunk of this.vectors(vectors, count)) {
          if (handle && !handle.file.write(handle.position, chunk)) return ENOSPC;
          if (handle) handle.position += chunk.length;
          written += chunk.length;
        }
        this.view().setUint32(result, written, true);
        return SUCCESS;
      },
      fd_seek: (fd: number, offset: bigint, whence: number, result: number) => {
        const handle = this.open.get(fd);
        if (!handle) return EBADF;
        const base = [0, handle.position, handle.file.size][whence];
        if (base === undefined || base + Number(offset) < 0) return EINVAL;
        handle.position = base + Number(offset);
        this.view().setBigUint64(result, BigInt(handle.position), true);
        return SUCCESS;
      },
    };
  }

  private typeOf(fd: number): number | undefined {
    if (fd >= 0 && fd < DIRECTORY_FD) return CHARACTER_DEVICE_TYPE;
    if (fd === DIRECTORY_FD) return DIRECTORY_TYPE;
    return this.open.has(fd) ? REGULAR_FILE_TYPE : undefined;
  }

  /** Creates a new view each time, because the buffer is replaced when the memory grows. */
  private view(): DataView {
    return new DataView(this.memory());
  }

  private vectors(at: number, count: number): Uint8Array[] {
    const view = this.view();
    return Array.from({ length: count }, (_, n) => {
      const [pointer, length] = [view.getUint32(at + n * 8, true), view.getUint32(at + n * 8 + 4, true)];
      return new Uint8Array(this.memory(), pointer, length);
    });
  }
}
