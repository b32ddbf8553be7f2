import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageOf } from './mounted-volume.js';

const ID = '0a'.repeat(32);
const ROOT = '21 1 0:30 / / rw,relatime - overlay overlay rw,lowerdir=/x';
const mount = (root: string, point: string, type = 'ext4'): string =>
  `${ROOT}\n40 21 8:1 ${root} ${point} rw,relatime shared:1 - ${type} /dev/sda1 rw\n`;

describe('the storage of a folder in a container', () => {
  it.each([
    ['no mount of the folder', `${ROOT}\n`, 'container'],
    ['a mount of another folder with the same beginning', mount('/v/data', '/usr/li'), 'container'],
    ['a mount of memory', mount('/', '/usr/lib', 'tmpfs'), 'container'],
    ['a named volume', mount('/var/lib/docker/volumes/data/_data', '/usr/lib'), 'mount'],
    ['a mount of a parent folder', mount('/srv/data', '/usr'), 'mount'],
    ['an anonymous volume', mount(`/var/lib/docker/volumes/${ID}/_data`, '/usr/lib'), 'anonymous volume'],
  ])('is recognised with %s', async (_, mounts, storage) => {
    expect(await storageOf('/usr/lib', mounts)).toBe(storage);
  });

  it('of a missing folder is the storage of its nearest existing parent', async () => {
    expect(await storageOf('/usr/lib/none/deeper', mount('/x', '/usr/lib'))).toBe('mount');
  });

  it('is found if the mount point contains a space, which mountinfo writes as an octal escape', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'mounted volume ')));
    try {
      const escaped = folder.replaceAll(' ', String.raw`\040`);
      expect(await storageOf(folder, mount('/x', escaped))).toBe('mount');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
