import { jest } from '@jest/globals';
import { FakeOutlet } from '../../../test/support/calls/fake-outlet.js';
import { newId, toGenerationId } from '../../kernel/ids.js';
import type { ResponseCache } from './response-cache.js';
import { SharedStream } from './shared-stream.js';

const MIB = 1_048_576;
const ID = newId();
const OTHER = { generationId: toGenerationId(newId()), created: 1_999_999_999 };

/** A cache with space for entries of this size. */
function aCache(maxEntryBytes = 4 * MIB): { cache: ResponseCache; held: () => number } {
  let held = 0;
  const cache = {
    maxEntryBytes,
    hold: (bytes: number) => {
      held += bytes;
      return true;
    },
    release: (bytes: number) => void (held -= bytes),
  } as unknown as ResponseCache;
  return { cache, held: () => held };
}

const open = new AbortController().signal;
const event = (text: string): Buffer => Buffer.from(`data: {"id":"gen-${ID}","created":1790000000,"t":"${text}"}\n\n`);
/** Everything that a reader can read now. */
function readAll(reader: ReturnType<SharedStream['open']>): string {
  const outlet = new FakeOutlet();
  for (let piece = reader.next(); piece; piece = reader.next()) outlet.write(piece);
  return outlet.text;
}

describe('a shared stream', () => {
  it('is sent to each reader from the first piece of the stream', () => {
    const { cache } = aCache();
    const stream = new SharedStream(() => undefined, cache);
    const first = stream.open(open);
    stream.start(ID);
    void stream.write(event('a'));
    void stream.write(event('b'));
    const second = stream.open(open, OTHER);
    expect(readAll(first)).toBe(event('a').toString() + event('b').toString());
    const renamed = (text: string): string =>
      event(text).toString().replace(`gen-${ID}`, OTHER.generationId).replace('1790000000', '1999999999');
    expect(readAll(second)).toBe(renamed('a') + renamed('b'));
    void stream.write(event('c'));
    expect([readAll(first), readAll(second)]).toEqual([event('c').toString(), renamed('c')]);
  });

  it('ends with the bill for the caller that began it, and without a bill for other callers', () => {
    const { cache } = aCache();
    const stream = new SharedStream(() => undefined, cache);
    const [own, other] = [stream.open(open), stream.open(open, OTHER)];
    stream.start(ID);
    void stream.write(event('a'));
    stream.settled(event('free'));
    stream.end(event('billed'));
    expect([own.ending?.isComplete, String(own.ending?.bytes)]).toEqual([true, String(event('billed'))]);
    expect(String(other.ending?.bytes)).toContain(`"id":"${OTHER.generationId}","created":1999999999,"t":"free"`);
    expect(stream.whole()!.for(OTHER.generationId, 1_999_999_999).toString()).toMatch(/"t":"a".*"t":"free"/s);
  });

  it('is not kept if it failed, was interrupted, or did not begin', () => {
    const closed = jest.fn();
    const streams = [1, 2, 3].map(() => new SharedStream(closed, aCache().cache));
    const readers = streams.map((stream) => stream.open(open));
    streams.slice(0, 2).forEach((stream) => stream.start(ID));
    streams[0]!.end(event('failed'));
    streams[1]!.cut();
    streams[2]!.fail(new Error('no'));
    expect(streams.map((stream) => stream.whole())).toEqual([undefined, undefined, undefined]);
    expect(readers.map((reader) => reader.ending?.isComplete)).toEqual([false, undefined, undefined]);
    expect(streams.map(({ isOver }) => isOver)).toEqual([true, true, true]);
    expect(closed).toHaveBeenCalledTimes(3);
  });

  it('does not start for a reader that disconnects, or if the call fails', async () => {
    const stream = new SharedStream(() => undefined, aCache().cache);
    const leaver = new AbortController();
    const [gone, stays] = [stream.open(leaver.signal), stream.open(open)];
    leaver.abort(new Error('gone'));
    await expect(gone.started()).rejects.toThrow('gone');
    stream.fail(new Error('failed'));
    await expect(stays.started()).rejects.toThrow('failed');
    expect(stream.hasReaders).toBe(false);
  });

  it('makes the vendor wait for the fastest reader', async () => {
    const stream = new SharedStream(() => undefined, aCache().cache);
    const [fast, slow] = [stream.open(open), stream.open(open)];
    stream.start(ID);
    expect(stream.write(Buffer.alloc(MIB))).toBeUndefined();
    const waits = stream.write(Buffer.alloc(1));
    expect(waits).toBeInstanceOf(Promise);
    fast.next();
    await waits;
    expect(slow.place).toBe(0);
  });

  it('makes the vendor wait for the slowest reader, and drops read pieces, if it is too large to keep', async () => {
    const { cache, held } = aCache(2 * MIB);
    const closed = jest.fn();
    const stream = new SharedStream(closed, cache);
    const [fast, slow] = [stream.open(open), stream.open(open)];
    stream.start(ID);
    void stream.write(Buffer.alloc(2 * MIB));
    expect([closed.mock.calls.length, held()]).toEqual([0, 2 * MIB]);
    const waits = stream.write(Buffer.alloc(1));
    expect([closed.mock.calls.length, held()]).toEqual([1, 0]);
    let hasResumed = false;
    void waits!.then(() => (hasResumed = true));
    readAll(fast);
    await Promise.resolve();
    expect(hasResumed).toBe(false);
    slow.next();
    await waits;
    expect(slow.next()).toHaveLength(1);
    expect(stream.pieceAt(0)).toBeUndefined();
    stream.settled(event('free'));
    stream.end(event('billed'));
    expect(stream.whole()).toBeUndefined();
    stream.release();
    expect(held()).toBe(0);
  });

  it('lets the vendor continue when the last reader leaves', async () => {
    const stream = new SharedStream(() => undefined, aCache().cache);
    const reader = stream.open(open);
    stream.start(ID);
    const waits = stream.write(Buffer.alloc(MIB + 1));
    reader.leave();
    await waits;
    expect(stream.isOpen).toBe(false);
  });
});
