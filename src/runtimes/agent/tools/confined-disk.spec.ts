import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { ConfinedDisk } from './confined-disk.ts';
import { ToolError } from './tool.ts';

const SECRET = 'of another intern';

describe('a confined disk', () => {
  let folder: TemporaryFolder;
  let home: string;
  let disk: ConfinedDisk;
  beforeAll(async () => {
    folder = await temporaryFolder();
    home = join(folder.path, 'home');
    await mkdir(join(home, '.intern'), { recursive: true });
    await mkdir(join(home, 'inner'));
    await mkdir(join(folder.path, 'other'));
    await writeFile(join(folder.path, 'other', 'file'), SECRET);
    await writeFile(join(home, '.intern', 'state.json'), 'state');
    await writeFile(join(home, 'inner', 'file'), 'mine');
    await symlink('../other', join(home, 'folder-link'));
    await symlink('../other/file', join(home, 'file-link'));
    await symlink('inner', join(home, 'inner-link'));
    await symlink('/etc/passwd', join(home, 'inner', 'passwd'));
    execFileSync('mkfifo', [join(home, 'pipe')]);
    disk = new ConfinedDisk(home, '.intern');
  });
  afterAll(() => folder.remove());
  const read = async (path: string): Promise<string> => String((await disk.read(path, 0, 100)).bytes);
  const other = (): Promise<string> => readFile(join(folder.path, 'other', 'file'), 'utf8');

  it.each(['inner/file', './inner//file', 'inner/./file', 'inner/file/'])('reads %j', async (path) => {
    expect(await read(path)).toBe('mine');
  });

  it.each([
    '../other/file',
    'inner/../../other/file',
    '/etc/passwd',
    'folder-link/file',
    'file-link',
    'inner-link/file',
    'inner/passwd',
    '.intern/state.json',
    './.intern/state.json',
    '.INTERN/state.json',
    'pipe',
    'inner',
    '',
    '.',
    'none',
    'inner/file/below',
    'inner/file\0',
    'x'.repeat(2_000),
    'x'.repeat(300),
    'x/'.repeat(40),
  ])('refuses to read %j, and to write to this path unless writing creates or replaces a file', async (path) => {
    await expect(disk.read(path, 0, 100)).rejects.toThrow(ToolError);
    // Writing creates missing folders, and replaces a link or a pipe instead of following it.
    if (/none|^file-link|^pipe|passwd$/.test(path) && !path.startsWith('/')) return;
    await expect(disk.write(path, 'evil')).rejects.toThrow(ToolError);
    await expect(disk.append(path, 'evil')).rejects.toThrow(ToolError);
    expect(await other()).toBe(SECRET);
  });

  it('replaces a link by a file, and does not change the target of the link', async () => {
    await symlink('../other/file', join(home, 'replaced'));
    await expect(disk.append('replaced', 'evil')).rejects.toThrow('Symbolic links are not followed');
    await disk.write('replaced', 'new');
    expect([await read('replaced'), await other()]).toEqual(['new', SECRET]);
  });

  it('replaces a hard link on writing, and does not change the linked file', async () => {
    await link(join(folder.path, 'other', 'file'), join(home, 'hard'));
    await disk.write('hard', 'new');
    expect(await other()).toBe(SECRET);
  });

  it('creates missing folders, replaces files and appends to them, and leaves no temporary file', async () => {
    await disk.write('new/deep/file', 'one');
    await disk.write('new/deep/file', 'two');
    await disk.append('new/deep/file', ' three');
    expect(await read('new/deep/file')).toBe('two three');
    expect(await readdir(join(home, 'new', 'deep'))).toEqual(['file']);
  });

  it('lists names with kinds and sizes, without its reserved folder, up to a maximum number', async () => {
    expect(await disk.list('inner', 10)).toEqual([
      { name: 'file', kind: 'file', bytes: 4 },
      { name: 'passwd', kind: 'other', bytes: expect.any(Number) as number },
    ]);
    const names = (await disk.list('', 100)).map(({ name }) => name);
    expect(names).toContain('inner');
    expect(names).not.toContain('.intern');
    expect(await disk.list('', 2)).toHaveLength(2);
    await expect(disk.list('folder-link', 10)).rejects.toThrow('symbolic link');
  });

  it('reads a part of a file', async () => {
    await disk.write('long', '0123456789');
    const { bytes, size } = await disk.read('long', 4, 3);
    expect([String(bytes), size]).toEqual(['456', 10]);
    expect(String((await disk.read('long', 99, 3)).bytes)).toBe('');
  });

  it('does not append beyond the maximum size of a file', async () => {
    const half = 'x'.repeat(8_388_608);
    await disk.write('big', half);
    await disk.append('big', half);
    await expect(disk.append('big', 'x')).rejects.toThrow('exceed');
  });

  it('does not reach files outside the disk while folders are replaced by links', async () => {
    const swapped = join(home, 'swapped');
    let isDone = false;
    const swapping = (async () => {
      while (!isDone) {
        await mkdir(swapped, { recursive: true }).catch(() => undefined);
        await writeFile(join(swapped, 'file'), 'mine').catch(() => undefined);
        await rm(swapped, { recursive: true, force: true }).catch(() => undefined);
        await symlink('../other', swapped).catch(() => undefined);
        await rm(swapped, { force: true }).catch(() => undefined);
      }
    })();
    const seen = new Set<string>();
    for (let index = 0; index < 300; index++) {
      seen.add(await read('swapped/file').catch(() => 'refused'));
      await disk.append('swapped/file', 'evil').catch(() => undefined);
    }
    isDone = true;
    await swapping;
    expect(await other()).toBe(SECRET);
    expect([...seen].filter((text) => text.includes(SECRET))).toEqual([]);
  });
});
