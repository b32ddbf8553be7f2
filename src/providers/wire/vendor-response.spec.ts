import type { Dispatcher } from 'undici';
import { MAX_STREAMED_BYTES, VendorResponse } from './vendor-response.js';

const MIB = Buffer.alloc(1_048_576);

/** A response whose head has arrived, and functions that send its body and read the state of its connection. */
interface Begun {
  readonly answer: VendorResponse;
  readonly send: (chunk: Buffer | string) => void;
  readonly end: () => void;
  readonly paused: () => boolean;
  readonly aborted: () => Error | undefined;
}

function begun(): Begun {
  let reason: Error | undefined;
  const state = { paused: false };
  const controller = Object.assign(state, {
    pause: () => void (state.paused = true),
    resume: () => void (state.paused = false),
    abort: (error: Error) => (reason ??= error),
  }) as unknown as Dispatcher.DispatchController;
  const answer = new VendorResponse(
    { secret: null, signal: new AbortController().signal },
    () => undefined,
    () => undefined,
  );
  answer.onRequestStart(controller);
  answer.onResponseStart(controller, 200, { 'content-type': 'audio/pcm' });
  return {
    answer,
    send: (chunk) => answer.onResponseData(controller, Buffer.from(chunk)),
    end: () => answer.onResponseEnd(),
    paused: () => state.paused,
    aborted: () => reason,
  };
}

describe('the answer of a vendor', () => {
  it('is broken off as no answer if it is read piece by piece and never ends', async () => {
    const { answer, send, aborted } = begun();
    for (let sent = 0; sent < MAX_STREAMED_BYTES; sent += MIB.length) {
      send(MIB);
      await answer.next();
    }
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    expect(aborted()).toMatchObject({ kind: 'provider_failed' });
    await expect(answer.next()).rejects.toMatchObject({
      kind: 'provider_failed',
      message: expect.stringContaining('larger than'),
    });
  });

  it('is aborted if it continues for more than 64 KiB after it was discarded', () => {
    const { answer, send, aborted } = begun();
    answer.discard();
    send(Buffer.alloc(65_536));
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    expect(aborted()).toBeDefined();
  });

  it('is broken off at its limit if it is read as a whole', async () => {
    const { answer, send, aborted } = begun();
    const gathered = answer.whole(10, () => undefined);
    send(Buffer.alloc(10));
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    await expect(gathered).rejects.toMatchObject({ kind: 'provider_failed' });
  });

  describe('with chunks that are passed to a callback', () => {
    const taken: string[] = [];
    const take = (chunk: Buffer): undefined => void taken.push(chunk.toString());
    const turn = (): Promise<void> => new Promise((next) => setImmediate(next));
    beforeEach(() => (taken.length = 0));

    it('delivers them in order, including those that arrived before, and ends with the response', async () => {
      const { answer, send, end } = begun();
      send('a');
      const all = answer.each(take);
      send('b');
      send('c');
      end();
      await all;

      expect(taken).toEqual(['a', 'b', 'c']);
    });

    it('ends at once if the whole response arrived before', async () => {
      const { answer, send, end } = begun();
      send('a');
      end();
      await answer.each(take);

      expect(taken).toEqual(['a']);
    });

    it('pauses the connection while the callback waits, and delivers the queued chunks before it ends', async () => {
      const { answer, send, end, paused } = begun();
      let goOn!: () => void;
      let over = false;
      const all = answer
        .each((chunk) =>
          taken.push(chunk.toString()) === 1 ? new Promise<void>((resolve) => (goOn = resolve)) : undefined,
        )
        .then(() => (over = true));
      send('a');
      expect(paused()).toBe(true);
      send('b');
      end();
      await turn();
      expect([taken, over]).toEqual([['a'], false]);
      goOn();
      await all;

      expect([taken, paused()]).toEqual([['a', 'b'], true]);
    });

    it('resumes the connection when the callback continues', async () => {
      const { answer, send, paused } = begun();
      let goOn!: () => void;
      void answer.each(() => new Promise<void>((resolve) => (goOn = resolve)));
      send('a');
      goOn();
      await turn();

      expect(paused()).toBe(false);
    });

    it('lets other work run after 256 KiB that were delivered at once', async () => {
      const { answer, send, paused } = begun();
      let taken = 0;
      void answer.each(({ length }) => void (taken += length));
      for (let sent = 0; sent < 262_143; sent += 65_536) send(Buffer.alloc(Math.min(65_536, 262_143 - sent)));
      expect([taken, paused()]).toEqual([262_143, false]);
      send('x');
      send('y');
      expect([taken, paused()]).toEqual([262_144, true]);
      await new Promise((turn) => setImmediate(turn));
      await new Promise((turn) => setImmediate(turn));
      expect([taken, paused()]).toEqual([262_145, false]);
    });

    it.each([
      [
        'throws',
        (): undefined => {
          throw new Error('not taken');
        },
      ],
      ['fails later', () => Promise.reject(new Error('not taken'))],
    ])('breaks off if the callback %s', async (_, refuse) => {
      const { answer, send, aborted } = begun();
      const all = answer.each(refuse);
      send('a');

      await expect(all).rejects.toThrow('not taken');
      expect(aborted()).toMatchObject({ message: 'not taken' });
    });

    it('ends if the callback discards the rest', async () => {
      const { answer, send, aborted } = begun();
      const all = answer.each((chunk) => {
        take(chunk);
        answer.discard();
        return undefined;
      });
      send('a');
      send('b');
      await all;

      expect([taken, aborted()]).toEqual([['a'], undefined]);
    });

    it('does not pause the connection if the callback discards the rest and waits', () => {
      const { answer, send, paused } = begun();
      void answer.each(() => {
        answer.discard();
        return new Promise<void>(() => undefined);
      });
      send('a');

      expect(paused()).toBe(false);
    });

    it('rejects if the callback throws for a chunk that was queued before', async () => {
      const { answer, send, end } = begun();
      send('a');
      send('b');
      end();
      const all = answer.each((chunk) => {
        take(chunk);
        throw new Error('not taken');
      });

      await expect(all).rejects.toThrow('not taken');
      expect(taken).toEqual(['a']);
    });

    it('delivers no more chunks after the vendor failed while the callback waited', async () => {
      const { answer, send } = begun();
      let goOn!: () => void;
      const all = answer.each((chunk) => (take(chunk), new Promise<void>((resolve) => (goOn = resolve))));
      send('a');
      send('b');
      answer.onResponseError(undefined, new Error('other side closed'));
      goOn();

      await expect(all).rejects.toMatchObject({ kind: 'provider_failed' });
      expect(taken).toEqual(['a']);
    });

    it('fails if the vendor fails, even while the callback waits', async () => {
      const { answer, send } = begun();
      const all = answer.each(() => new Promise<void>(() => undefined));
      send('a');
      answer.onResponseError(undefined, new Error('other side closed'));

      await expect(all).rejects.toMatchObject({ kind: 'provider_failed' });
    });

    it('is broken off if it never ends', async () => {
      const { answer, send } = begun();
      const all = answer.each(() => undefined);
      for (let sent = 0; sent < MAX_STREAMED_BYTES; sent += MIB.length) answer.onResponseData(undefined as never, MIB);
      send('x');

      await expect(all).rejects.toMatchObject({ message: expect.stringContaining('larger than') });
    });
  });
});
