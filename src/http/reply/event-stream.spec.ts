import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import type { Response } from 'express';
import { GatewayError } from '../../kernel/errors/errors.js';
import { EventStream } from './event-stream.js';

class FakeSocket extends EventEmitter {
  writableNeedDrain = false;
  writableCorked = 0;
  cork(): void {}
  uncork(): void {}
}

/** A response that keeps what is written; its socket tells whether its reader is slow. */
class FakeResponse extends EventEmitter {
  text = '';
  readonly socket = new FakeSocket();
  writeHead(): void {}
  cork(): void {}
  uncork(): void {}
  write(bytes: string | Uint8Array): boolean {
    this.text += Buffer.from(bytes as Uint8Array).toString();
    return true;
  }
  end(bytes: string): void {
    this.text += bytes;
    this.emit('close');
  }
}

describe('a stream of events', () => {
  let response: FakeResponse;
  let stream: EventStream;
  beforeEach(() => {
    jest.useFakeTimers();
    response = new FakeResponse();
    stream = new EventStream(response as unknown as Response);
  });
  afterEach(() => jest.useRealTimers());
  const comments = (): number => response.text.split(': keep-alive\n\n').length - 1;

  it('sends a comment after every 15 seconds of silence, counted from its last event', async () => {
    stream.begin();
    await jest.advanceTimersByTimeAsync(14_999);
    expect(comments()).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(comments()).toBe(1);
    await jest.advanceTimersByTimeAsync(10_000);
    void stream.send(['{}']);
    await jest.advanceTimersByTimeAsync(14_999);
    expect(comments()).toBe(1);
    await jest.advanceTimersByTimeAsync(15_001);
    expect(comments()).toBe(3);
  });

  it('sends none before it has begun, nor once it has ended or its reader has left', async () => {
    await jest.advanceTimersByTimeAsync(60_000);
    expect(response.text).toBe('');
    stream.begin();
    response.emit('close');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(comments()).toBe(0);
    const ended = new EventStream(response as unknown as Response);
    ended.begin();
    ended.end();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(response.text).toBe('data: [DONE]\n\n');
  });

  it('lets the next event wait until a slow reader has caught up', async () => {
    expect(stream.send(['{}'])).toBeUndefined();
    response.socket.writableNeedDrain = true;
    let waited = true;
    const wait = stream.send(['{}'])!.then(() => (waited = false));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(waited).toBe(true);
    response.socket.emit('drain');
    await wait;
    expect(waited).toBe(false);
  });

  it('ends with an error event and [DONE] where it fails after it has begun', () => {
    stream.begin();
    stream.fail(new GatewayError('provider_failed', 'The provider failed'));
    expect(response.text).toBe(
      'data: {"type":"error","error":{"message":"The provider failed","code":"502","param":null,' +
        '"type":"provider_failed"}}\n\ndata: [DONE]\n\n',
    );
  });
});
