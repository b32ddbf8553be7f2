import type { Dispatcher } from 'undici';
import { MOST_STREAMED_BYTES, VendorAnswer } from './vendor-answer.js';

const MIB = Buffer.alloc(1_048_576);

/** An answer whose head is there, and the hand that sends it. */
function begun(): { answer: VendorAnswer; send: (chunk: Buffer) => void; aborted: () => Error | undefined } {
  let reason: Error | undefined;
  const controller = { paused: false, pause: () => undefined, resume: () => undefined, abort: (error: Error) => (reason ??= error) } as unknown as Dispatcher.DispatchController;
  const answer = new VendorAnswer({ secret: null, signal: new AbortController().signal }, () => undefined, () => undefined);
  answer.onRequestStart(controller);
  answer.onResponseStart(controller, 200, { 'content-type': 'audio/pcm' });
  return { answer, send: (chunk) => answer.onResponseData(controller, chunk), aborted: () => reason };
}

describe('the answer of a vendor', () => {
  it('that is read piece by piece and never ends is broken off as no answer', async () => {
    const { answer, send, aborted } = begun();
    for (let sent = 0; sent < MOST_STREAMED_BYTES; sent += MIB.length) {
      send(MIB);
      await answer.next();
    }
    expect(aborted()).toBeUndefined();
    send(Buffer.from('x'));
    expect(aborted()).toMatchObject({ kind: 'provider_failed' });
    await expect(answer.next()).rejects.toMatchObject({ kind: 'provider_failed', message: expect.stringContaining('larger than') });
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
});
