import type { Dispatcher } from 'undici';
import { MAX_STREAMED_BYTES, VendorResponse } from './vendor-response.js';

const MIB = Buffer.alloc(1_048_576);

/** A response whose head has arrived, and functions that send its body and read the state of its connection. */
interface StartedResponse {
  readonly response: VendorResponse;
  readonly send: (chunk: Buffer | string) => void;
  readonly end: () => void;
  readonly paused: () => boolean;
  readonly aborted: () => Error | undefined;
}

function startResponse(): StartedResponse {
  let reason: Error | undefined;
  const state = { paused: false };
  const controller = Object.assign(state, {
    pause: () => void (state.paused = true),
    resume: () => void (state.paused = false),
    abort: (error: Error) => (reason ??= error),
  }) as unknown as Dispatcher.DispatchController;
  const response = new VendorResponse(
    { secret: null, signal: new AbortController().signal },
    () => undefined,
    () => undefined,
  );
  response.onRequestStart(controller);
  response.onResponseStart(controller, 200, { 'content-type': 'audio/pcm' });
  return {
    response,
    send: (chunk) => response.onResponseData(controller, Buffer.from(chunk)),
    end: () => response.onResponseEnd(),
    paused: () => state.paused,
    aborted: () => reason,
  };
}

describe('the response of a vendor', () => {
  it('is aborted with provider_failed if it is read in chunks and exceeds the maximum size', async () => {
    const { response, send, aborted } = startResponse();
    for (let sent = 0; sent < MAX_STREAMED_BYTES; sent += MIB.length) {
      send(MIB);
      await response.next();
    }
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    expect(aborted()).toMatchObject({ kind: 'provider_failed' });
    await expect(response.next()).rejects.toMatchObject({
      kind: 'provider_failed',
      message: expect.stringContaining('larger than'),
    });
  });

  it('is aborted if it continues for more than 64 KiB after it was discarded', () => {
    const { response, send, aborted } = startResponse();
    response.discard();
    send(Buffer.alloc(65_536));
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    expect(aborted()).toBeDefined();
  });

  it('is aborted with provider_failed if it is read as a whole and exceeds the limit', async () => {
    const { response, send, aborted } = startResponse();
    const gathered = response.whole(10, () => undefined);
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

    it('delivers the chunks in order, including chunks that arrived before the callback was set', async () => {
      const { response, send, end } = startResponse();
      send('a');
      const all = response.each(take);
      send('b');
      send('c');
      end();
      await all;

      expect(taken).toEqual(['a', 'b', 'c']);
    });

    it('ends immediately if the whole response arrived before the callback was set', async () => {
      const { response, send, end } = startResponse();
      send('a');
      end();
      await response.each(take);

      expect(taken).toEqual(['a']);
    });

    it('pauses the connection while the callback is pending, and resolves after the queued chunks', async () => {
      const { response, send, end, paused } = startResponse();
      let goOn!: () => void;
      let over = false;
      const all = response
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
      const { response, send, paused } = startResponse();
      let goOn!: () => void;
      void response.each(() => new Promise<void>((resolve) => (goOn = resolve)));
      send('a');
      goOn();
      await turn();

      expect(paused()).toBe(false);
    });

    it('yields to the event loop after it delivers 256 KiB in one turn', async () => {
      const { response, send, paused } = startResponse();
      let taken = 0;
      void response.each(({ length }) => void (taken += length));
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
    ])('aborts the call if the callback %s', async (_, refuse) => {
      const { response, send, aborted } = startResponse();
      const all = response.each(refuse);
      send('a');

      await expect(all).rejects.toThrow('not taken');
      expect(aborted()).toMatchObject({ message: 'not taken' });
    });

    it('ends if the callback discards the rest', async () => {
      const { response, send, aborted } = startResponse();
      const all = response.each((chunk) => {
        take(chunk);
        response.discard();
        return undefined;
      });
      send('a');
      send('b');
      await all;

      expect([taken, aborted()]).toEqual([['a'], undefined]);
    });

    it('does not pause the connection if the callback discards the rest and waits', () => {
      const { response, send, paused } = startResponse();
      void response.each(() => {
        response.discard();
        return new Promise<void>(() => undefined);
      });
      send('a');

      expect(paused()).toBe(false);
    });

    it('rejects if the callback throws for a chunk that was queued before the callback was set', async () => {
      const { response, send, end } = startResponse();
      send('a');
      send('b');
      end();
      const all = response.each((chunk) => {
        take(chunk);
        throw new Error('not taken');
      });

      await expect(all).rejects.toThrow('not taken');
      expect(taken).toEqual(['a']);
    });

    it('does not deliver queued chunks if the vendor fails while the callback is pending', async () => {
      const { response, send } = startResponse();
      let goOn!: () => void;
      const all = response.each((chunk) => (take(chunk), new Promise<void>((resolve) => (goOn = resolve))));
      send('a');
      send('b');
      response.onResponseError(undefined, new Error('other side closed'));
      goOn();

      await expect(all).rejects.toMatchObject({ kind: 'provider_failed' });
      expect(taken).toEqual(['a']);
    });

    it('fails if the vendor fails, even while the callback waits', async () => {
      const { response, send } = startResponse();
      const all = response.each(() => new Promise<void>(() => undefined));
      send('a');
      response.onResponseError(undefined, new Error('other side closed'));

      await expect(all).rejects.toMatchObject({ kind: 'provider_failed' });
    });

    it('fails if the response exceeds the maximum size', async () => {
      const { response, send } = startResponse();
      const all = response.each(() => undefined);
      for (let sent = 0; sent < MAX_STREAMED_BYTES; sent += MIB.length)
        response.onResponseData(undefined as never, MIB);
      send('x');

      await expect(all).rejects.toMatchObject({ message: expect.stringContaining('larger than') });
    });
  });
});
