import { WasiMemoryFiles } from './wasi-memory-files.ts';

const [PATH, RESULT, VECTOR, DATA] = [0, 256, 264, 512];
type Call = (...args: unknown[]) => number;

describe('the file system of the synthesiser', () => {
  const memory = new ArrayBuffer(65_536);
  const view = new DataView(memory);
  const bytes = new Uint8Array(memory);
  let files: WasiMemoryFiles;
  let calls: Record<string, Call>;

  beforeEach(() => {
    bytes.fill(0);
    files = new WasiMemoryFiles(
      '/s',
      { name: 't', content: Buffer.from('the text') },
      { name: 'w', maxBytes: 16 },
      () => memory,
    );
    calls = files.imports() as Record<string, Call>;
  });

  const open = (path: string, flags = 0): { code: number; fd: number } => {
    bytes.set(Buffer.from(path), PATH);
    const code = calls['path_open']!(3, 0, PATH, Buffer.byteLength(path), flags, 0n, 0n, 0, RESULT);
    return { code, fd: view.getUint32(RESULT, true) };
  };
  const transfer = (name: 'fd_read' | 'fd_write', fd: number, length: number): { code: number; moved: number } => {
    view.setUint32(VECTOR, DATA, true);
    view.setUint32(VECTOR + 4, length, true);
    return { code: calls[name]!(fd, VECTOR, 1, RESULT), moved: view.getUint32(RESULT, true) };
  };
  const write = (fd: number, text: string): number => {
    bytes.set(Buffer.from(text), DATA);
    return transfer('fd_write', fd, text.length).code;
  };
  const seek = (fd: number, to: bigint, whence: number): number => calls['fd_seek']!(fd, to, whence, RESULT);

  it('contains the text, which can be read in parts', () => {
    const { fd } = open('t');
    expect(transfer('fd_read', fd, 3)).toEqual({ code: 0, moved: 3 });
    expect(Buffer.from(memory, DATA, 3).toString()).toBe('the');
    expect(transfer('fd_read', fd, 100)).toEqual({ code: 0, moved: 5 });
    expect(transfer('fd_read', fd, 100)).toEqual({ code: 0, moved: 0 });
  });

  it('stores written bytes, which may overwrite earlier ones', () => {
    const { fd } = open('w', 8);
    write(fd, 'RIFF????data');
    expect(seek(fd, 4n, 0)).toBe(0);
    write(fd, '1234');
    expect(seek(fd, 0n, 2)).toBe(0);
    write(fd, '!');
    expect(Buffer.from(files.written()).toString()).toBe('RIFF1234data!');
  });

  it.each(['/etc/passwd', '../etc/passwd', 'etc/passwd', '.', '', 't/../w', 'x', 't\u0000'])(
    'has no file %j',
    (path) => {
      expect(open(path).code).toBe(44);
    },
  );

  it('offers one directory and no other descriptor', () => {
    expect(calls['fd_prestat_get']!(3, RESULT)).toBe(0);
    expect(calls['fd_prestat_get']!(4, RESULT)).toBe(8);
    for (const fd of [3, 4, 99, -1]) expect(transfer('fd_read', fd, 1).code).toBe(8);
    for (const fd of [3, 4, 99, -1]) expect(write(fd, 'x')).toBe(8);
  });

  it('refuses bytes beyond the maximum size of a file', () => {
    const { fd } = open('w');
    expect(write(fd, '0123456789abcdef')).toBe(0);
    expect(write(fd, 'g')).toBe(51);
    expect(files.written()).toHaveLength(16);
  });

  it('refuses to seek before the beginning, and to use a closed file', () => {
    const { fd } = open('w');
    expect(seek(fd, -1n, 0)).toBe(28);
    expect(calls['fd_close']!(fd)).toBe(0);
    expect(write(fd, 'x')).toBe(8);
  });

  it('discards bytes written to the standard streams', () => {
    expect(write(1, 'a caller text')).toBe(0);
    expect(write(2, 'a caller text')).toBe(0);
    expect(files.written()).toHaveLength(0);
  });
});
