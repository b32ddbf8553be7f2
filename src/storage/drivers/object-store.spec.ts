import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { TcpProxy } from '../../../test/support/database/tcp-proxy.js';
import { TestS3Server } from '../../../test/support/engines/s3-server.js';
import type { ObjectStore } from '../object-store.port.js';
import { LocalObjectStore } from './local-object-store.driver.js';
import { S3ObjectStore } from './s3-object-store.driver.js';

interface Stage {
  readonly store: ObjectStore;
  readonly folder: string;
}

async function* pieces(...texts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

const all = <T>(items: AsyncIterable<T>): Promise<T[]> =>
  Readable.from(items, { objectMode: true }).toArray() as Promise<T[]>;
const textOf = async (bytes: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> =>
  bytes && Buffer.concat(await all(bytes)).toString();
const keysOf = async (store: ObjectStore): Promise<string[]> =>
  (await all(store.list())).map(({ key }) => key).toSorted();
const unfinishedIn = (folder: string): Promise<string[]> => readdir(join(folder, 'incoming')).catch(() => []);

/** The contract of the port, tested for every driver. */
function itStores(stage: () => Stage): void {
  it('returns the stored bytes, with their count and hash', async () => {
    const receipt = await stage().store.put('account-1/object-1', pieces('some ', 'bytes'));

    expect(receipt).toEqual({ size: 10, sha256: createHash('sha256').update('some bytes').digest('hex') });
    expect(await textOf(await stage().store.get('account-1/object-1'))).toBe('some bytes');
    expect(await unfinishedIn(stage().folder)).toEqual([]);
  });

  it('stores an empty object, and an object that is larger than any buffer', async () => {
    await stage().store.put('a/empty', pieces());
    const large = 'x'.repeat(3_000_000);
    await stage().store.put('a/large', pieces(large, large));

    expect(await textOf(await stage().store.get('a/empty'))).toBe('');
    expect(await textOf(await stage().store.get('a/large'))).toBe(large + large);
  });

  it('lists all objects with size and time, over several pages', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) await stage().store.put(`list/${name}`, pieces(name));

    expect(await keysOf(stage().store)).toEqual(['list/five', 'list/four', 'list/one', 'list/three', 'list/two']);
    const [first] = (await all(stage().store.list())).filter(({ key }) => key === 'list/three');
    expect(first?.size).toBe(5);
    expect(Math.abs(Date.now() - first!.storedAt.getTime())).toBeLessThan(60_000);
  });

  it('lists the objects of one folder, and none of a folder with the same beginning', async () => {
    for (const key of ['links/one', 'links/two', 'links-2/three', 'other/links'])
      await stage().store.put(key, pieces('x'));

    const keys = (await all(stage().store.list('links'))).map(({ key }) => key);
    expect(keys.toSorted()).toEqual(['links/one', 'links/two']);
    expect(await all(stage().store.list('nothing'))).toEqual([]);
  });

  it('deletes an object, and accepts the deletion of an absent object', async () => {
    await stage().store.put('a/b', pieces('x'));
    await stage().store.delete('a/b');
    await stage().store.delete('a/b');

    expect(await stage().store.get('a/b')).toBeUndefined();
    expect(await keysOf(stage().store)).toEqual([]);
  });

  it('stores nothing if the bytes end in an error, and throws the error', async () => {
    const error = new Error('the caller left');

    await expect(stage().store.put('a/b', pieces('some bytes', error))).rejects.toBe(error);
    expect(await keysOf(stage().store)).toEqual([]);
    expect(await unfinishedIn(stage().folder)).toEqual([]);
  });

  it.each(['../../etc/passwd', '/absolute', 'a//b', 'A', 'a/', 'a/..', 'ü', 'a\0b', ''])(
    'does not accept %j as a key',
    async (key) => {
      await expect(stage().store.put(key, pieces('x'))).rejects.toThrow('not an object key');
      await expect(stage().store.get(key)).rejects.toThrow('not an object key');
      await expect(stage().store.delete(key)).rejects.toThrow('not an object key');
    },
  );

  it('discards unfinished files when they are old, and nothing else', async () => {
    await mkdir(join(stage().folder, 'incoming'), { recursive: true });
    for (const name of ['old.part', 'young.part']) await writeFile(join(stage().folder, 'incoming', name), 'x');
    await utimes(join(stage().folder, 'incoming', 'old.part'), new Date(0), new Date(0));
    await stage().store.put('a/kept', pieces('x'));

    expect(await stage().store.discardUnfinished(new Date(Date.now() - 60_000))).toBe(1);
    expect(await unfinishedIn(stage().folder)).toEqual(['young.part']);
    expect(await keysOf(stage().store)).toEqual(['a/kept']);
  });

  it('has nothing to list or discard before the first put', async () => {
    expect(await keysOf(stage().store)).toEqual([]);
    expect(await stage().store.discardUnfinished(new Date())).toBe(0);
  });
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the object store in a folder', () => {
  let store: ObjectStore;
  beforeEach(() => {
    store = new LocalObjectStore(folder);
  });
  itStores(() => ({ store, folder }));

  it('ignores files whose names are not keys', async () => {
    await mkdir(join(folder, 'objects', 'a'), { recursive: true });
    for (const name of ['README', 'x.tmp']) await writeFile(join(folder, 'objects', 'a', name), 'x');
    expect(await keysOf(store)).toEqual([]);
  });

  it('is unavailable for every operation if its folder is a file', async () => {
    await writeFile(join(folder, 'objects'), 'x');

    const unavailable = { kind: 'unavailable', headers: { 'Retry-After': expect.any(String) as string } };
    await expect(store.put('a/b', pieces('x'))).rejects.toMatchObject(unavailable);
    await expect(store.get('a/b')).rejects.toMatchObject(unavailable);
    await expect(store.delete('a/b')).rejects.toMatchObject(unavailable);
    await expect(all(store.list())).rejects.toMatchObject(unavailable);
    await expect(all(store.list('a'))).rejects.toMatchObject(unavailable);
  });
});

describe('the object store in a bucket', () => {
  let server: TestS3Server;
  let store: ObjectStore;
  const open = (secret = 'test-secret'): ObjectStore =>
    new S3ObjectStore(
      {
        bucket: 'bucket',
        region: 'us-east-1',
        endpoint: server.origin,
        credentials: { accessKeyId: 'test-access', secretAccessKey: secret },
        forcePathStyle: true,
      },
      join(folder, 'incoming'),
    );

  beforeEach(async () => {
    server = await TestS3Server.start();
    store = open();
  });
  afterEach(() => server.stop());
  itStores(() => ({ store, folder }));

  it('stores objects below files/, and ignores other objects in the bucket', async () => {
    server.objects.set('backups/of-someone-else', { bytes: Buffer.from('x'), at: new Date() });
    await store.put('a/b', pieces('x'));

    expect([...server.objects.keys()].toSorted()).toEqual(['backups/of-someone-else', 'files/a/b']);
    expect(await keysOf(store)).toEqual(['a/b']);
  });

  it('sends nothing to the bucket before the bytes are complete', async () => {
    await expect(store.put('a/b', pieces('some bytes', new Error('broken off')))).rejects.toThrow('broken off');

    expect(server.seen).toEqual([]);
  });

  it.each([[[503]], [['cut']], [[500, 'cut']]] as const)(
    'sends the bytes again from their start after the failures %j',
    async (failures) => {
      server.failNextPuts.push(...failures);
      await store.put('a/b', pieces('some bytes'));

      expect(await textOf(await store.get('a/b'))).toBe('some bytes');
    },
  );

  it.each(['refuses', 'hangs'])(
    'is unavailable for every operation while the server %s, and available again afterwards',
    async (how) => {
      const proxy = await TcpProxy.before(server.origin);
      store = new S3ObjectStore(
        {
          bucket: 'bucket',
          region: 'us-east-1',
          endpoint: proxy.through(server.origin),
          credentials: { accessKeyId: 'test-access', secretAccessKey: 'test-secret' },
          forcePathStyle: true,
          socketTimeoutMs: 300,
        },
        join(folder, 'incoming'),
      );
      await store.put('a/kept', pieces('x'));
      if (how === 'refuses') await proxy.refuse();
      else proxy.blackHole();

      const unavailable = { kind: 'unavailable', headers: { 'Retry-After': expect.any(String) as string } };
      await expect(store.put('a/b', pieces('some bytes'))).rejects.toMatchObject(unavailable);
      await expect(store.get('a/kept')).rejects.toMatchObject(unavailable);
      await expect(store.delete('a/kept')).rejects.toMatchObject(unavailable);
      await expect(all(store.list())).rejects.toMatchObject(unavailable);
      expect(await unfinishedIn(folder)).toEqual([]);
      await proxy.forward();
      expect(await textOf(await store.get('a/kept'))).toBe('x');
      await proxy.stop();
    },
  );

  it('stores nothing after three failed attempts, neither on the disk nor in the bucket', async () => {
    server.failNextPuts.push(503, 'cut', 500);

    await expect(store.put('a/b', pieces('some bytes'))).rejects.toThrow('InternalError');
    expect([...server.objects.keys()]).toEqual([]);
    expect(await unfinishedIn(folder)).toEqual([]);
  });
});
