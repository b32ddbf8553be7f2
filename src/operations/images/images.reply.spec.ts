import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import type { Response } from 'express';
import type { PreviewSink } from '../../inference/capabilities/image.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { replyWithImages } from './images.reply.js';
import type { LinkedImageResult } from './images.wire.js';

/** A response that stores what is written. `isFull`: simulates a slow reader. */
class FakeResponse extends EventEmitter {
  text = '';
  headersSent = false;
  destroyed = false;
  isFull = false;
  setHeader(): void {}
  writeHead(): void {
    this.headersSent = true;
  }
  cork(): void {}
  uncork(): void {}
  write(bytes: string | Uint8Array): boolean {
    this.text += Buffer.from(bytes as Uint8Array).toString();
    return !this.isFull;
  }
  end(bytes: string): void {
    this.text += bytes;
  }
}

const PREVIEW: Parameters<PreviewSink['show']>[0] = { type: 'partial', index: 0, b64: 'AAAA' };

describe('a stream of images', () => {
  let response: FakeResponse;
  let sink: PreviewSink;
  let fail: (error: Error) => void;
  let finish: (result: object) => void;
  let replied: Promise<void>;
  beforeEach(() => {
    jest.useFakeTimers();
    response = new FakeResponse();
    const generate = (given?: PreviewSink): Promise<LinkedImageResult> => {
      sink = given!;
      return new Promise((resolve, reject) => {
        fail = reject;
        finish = resolve as typeof finish;
      });
    };
    replied = replyWithImages(response as unknown as Response, true, generate);
  });
  afterEach(() => jest.useRealTimers());
  const comments = (): number => response.text.split(': keep-alive\n\n').length - 1;

  it('sends a comment after every 15 seconds of silence, counted from its last event', async () => {
    sink.begin('gen-1');
    await jest.advanceTimersByTimeAsync(14_000);
    expect(comments()).toBe(0);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(comments()).toBe(1);
    void sink.show(PREVIEW);
    await jest.advanceTimersByTimeAsync(14_000);
    expect(comments()).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(comments()).toBe(2);
    fail(new Error('over'));
    await replied;
  });

  it('sends no comment before it has started, after it has ended, or after the client has disconnected', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect(response.text).toBe('');
    sink.begin('gen-1');
    response.destroyed = true;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(comments()).toBe(0);
    response.destroyed = false;
    finish({ streamed: true, images: [], usage: undefined });
    await replied.catch(() => undefined);
    const ended = response.text;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(response.text).toBe(ended);
  });

  it('delays the next event until a slow reader has caught up', async () => {
    sink.begin('gen-1');
    expect(sink.show(PREVIEW)).toBeUndefined();
    response.isFull = true;
    let waited = true;
    const wait = sink.show(PREVIEW)!.then(() => (waited = false));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(waited).toBe(true);
    response.emit('drain');
    await wait;
    expect(waited).toBe(false);
    fail(new Error('over'));
    await replied;
  });

  it('ends with an error event and [DONE] if it fails after it has started', async () => {
    sink.begin('gen-1');
    fail(new GatewayError('provider_failed', 'The provider failed'));
    await replied;
    expect(response.text).toBe(
      'data: {"type":"error","error":{"message":"The provider failed","code":"502","param":null,' +
        '"type":"provider_failed"}}\n\ndata: [DONE]\n\n',
    );
  });
});
