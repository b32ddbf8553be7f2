import type { Dispatcher } from 'undici';
import { MAX_STREAMED_BYTES, VendorResponse } from './vendor-response.js';

const MIB = Buffer.alloc(1_048_576);

/** An answer whose head is there, and the hand that sends it. */
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
  it('that is read piece by piece and never ends is broken off as no answer', async () => {
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

  it('that goes on after the end that it told is let go', () => {
    const { answer, send, aborted } = begun();
    answer.discard();
    send(Buffer.alloc(65_536));
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    expect(aborted()).toBeDefined();
  });

  it('that is gathered whole is broken off at its cap', async () => {
    const { answer, send, aborted } = begun();
    const gathered = answer.whole(10, () => undefined);
    send(Buffer.alloc(10));
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    await expect(gathered).rejects.toMatchObject({ kind: 'provider_failed' });
  });

  describe('whose chunks are handed to a callback', () => {
    const taken: string[] = [];
    const take = (chunk: Buffer): undefined => void taken.push(chunk.toString());
    const turn = (): Promise<void> => new Promise((next) => setImmediate(next));
    beforeEach(() => (taken.length = 0));

    it('gives them in their order, those that came before too, and ends with it', async () => {
      const { answer, send, end } = begun();
      send('a');
      const all = answer.each(take);
      send('b');
      send('c');
      end();
      await all;

      expect(taken).toEqual(['a', 'b', 'c']);
    });

    it('that had all come before ends at once', async () => {
      const { answer, send, end } = begun();
      send('a');
      end();
      await answer.each(take);

      expect(taken).toEqual(['a']);
    });

    it('lets the vendor wait while the taker does, and takes what came meanwhile before it ends', async () => {
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

    it('lets the vendor go on once the taker does', async () => {
      const { answer, send, paused } = begun();
      let goOn!: () => void;
      void answer.each(() => new Promise<void>((resolve) => (goOn = resolve)));
      send('a');
      goOn();
      await turn();

      expect(paused()).toBe(false);
    });

    it('gives other work its turn after 256 KiB that were taken at once', async () => {
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
    ])('breaks off where the taker %s', async (_, refuse) => {
      const { answer, send, aborted } = begun();
      const all = answer.each(refuse);
      send('a');

      await expect(all).rejects.toThrow('not taken');
      expect(aborted()).toMatchObject({ message: 'not taken' });
    });

    it('ends where the taker lets the rest go', async () => {
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

    it('lets the connection go on where the taker lets the rest go and waits as well', () => {
      const { answer, send, paused } = begun();
      void answer.each(() => {
        answer.discard();
        return new Promise<void>(() => undefined);
      });
      send('a');

      expect(paused()).toBe(false);
    });

    it('breaks off where the taker throws at what had all come before', async () => {
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

    it('gives nothing more once the vendor broke off while the taker waited', async () => {
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

    it('fails where the vendor breaks off, even while the taker waits', async () => {
      const { answer, send } = begun();
      const all = answer.each(() => new Promise<void>(() => undefined));
      send('a');
      answer.onResponseError(undefined, new Error('other side closed'));

      await expect(all).rejects.toMatchObject({ kind: 'provider_failed' });
    });

    it('is broken off where it never ends', async () => {
      const { answer, send } = begun();
      const all = answer.each(() => undefined);
      for (let sent = 0; sent < MAX_STREAMED_BYTES; sent += MIB.length) answer.onResponseData(undefined as never, MIB);
      send('x');

      await expect(all).rejects.toMatchObject({ message: expect.stringContaining('larger than') });
    });
  });
});
