import { EventLines, MAX_MEDIA_EVENT_BYTES, MAX_TEXT_EVENT_BYTES } from './event-lines.js';
import { badResponse } from '../../formats/bad-response.js';

type Fetch = typeof globalThis.fetch;
type Body = ReadableStream<Uint8Array<ArrayBuffer>>;
type Rewrite = (data: string) => string;

const EVENT_STREAM = 'text/event-stream';
/** Amazon's binary framing: each frame begins with its length in four bytes, which are included in the length. */
const FRAMED_STREAM = 'application/vnd.amazon.eventstream';
const LENGTH_BYTES = 4;
const LINE_BREAK = /\r?\n/;

export const maxEventBytesOf = ({ mayHoldMedia }: { readonly mayHoldMedia?: boolean }): number =>
  mayHoldMedia ? MAX_MEDIA_EVENT_BYTES : MAX_TEXT_EVENT_BYTES;

/**
 * A `fetch` for packages that would buffer an event of any size. A stream with an event above the limit fails with a
 * GatewayError.
 */
export function boundedEventsOf(send: Fetch, maxEventBytes: number): Fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const { ok, status, headers, body } = response;
    const type = headers.get('content-type') ?? '';
    if (!ok || !body) return response;
    if (type.includes(EVENT_STREAM)) return new Response(rewrittenEvents(body, maxEventBytes), { status, headers });
    if (type.includes(FRAMED_STREAM)) return new Response(boundedFrames(body, maxEventBytes), { status, headers });
    return response;
  };
}

/** The events of a body as `data:` lines, each rewritten; other lines are dropped. */
export function rewrittenEvents(body: Body, maxEventBytes: number, rewrite: Rewrite = (data) => data): Body {
  const lines = new EventLines(maxEventBytes);
  const pass = (chunk: Buffer, controller: TransformStreamDefaultController<Uint8Array>): void => {
    const events = lines.push(chunk);
    if (events.length > 0)
      controller.enqueue(Buffer.from(events.map((data) => eventText(rewrite(data.toString('utf8')))).join('')));
  };
  return body.pipeThrough(
    new TransformStream({
      transform: (chunk, controller) => pass(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), controller),
      // Adds the blank line after the last event, in case the vendor left it out.
      flush: (controller) => pass(Buffer.from('\n'), controller),
    }),
  );
}

const eventText = (data: string): string =>
  `${data
    .split(LINE_BREAK)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;

function boundedFrames(body: Body, maxFrameBytes: number): Body {
  let lengthBytes = 0;
  let length = 0;
  let rest = 0;
  return body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        for (let at = 0; at < chunk.length;) {
          if (rest > 0) {
            const skipped = Math.min(rest, chunk.length - at);
            rest -= skipped;
            at += skipped;
            continue;
          }
          length = length * 256 + chunk[at++]!;
          if (++lengthBytes < LENGTH_BYTES) continue;
          if (length > maxFrameBytes) throw badResponse(`holds an event larger than ${maxFrameBytes} bytes`);
          rest = Math.max(0, length - LENGTH_BYTES);
          lengthBytes = length = 0;
        }
        controller.enqueue(chunk);
      },
    }),
  );
}
