/**
 * A vendor that needs very little CPU: raw sockets and prepared responses. It recognises the scenario by a name in the
 * text of the request, such as `bench-chat-20`. It counts its complete responses, and returns the count at GET /stats.
 */
import { createServer, type Socket } from 'node:net';
import { json, piece, whole } from './http-bytes.ts';
import { TEXTS, TEXT_STREAMS } from './text-responses.ts';

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  output_tokens: 272,
  total_tokens: 282,
};
const EVENTS = 20;
const EVENT_BYTES = 16_384;
const EVENT_PAUSE_MS = 2;

const image = (bytes: number): Buffer =>
  json({
    created: 1_790_000_000,
    background: 'opaque',
    data: [{ b64_json: 'A'.repeat(bytes) }],
    output_format: 'png',
    quality: 'low',
    size: '1024x1024',
    usage: USAGE,
  });

const ANSWERS: Readonly<Record<string, Buffer>> = {
  'bench-speech-32k': whole('audio/pcm', Buffer.alloc(32_768, 7)),
  'bench-image-64k': image(65_536),
  'bench-image-1m': image(1_048_576),
};

const STREAM_HEAD = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n',
);
const STREAM_END = Buffer.from('0\r\n\r\n');
const IMAGE_STREAM: readonly Buffer[] = Array.from({ length: EVENTS }, (_, index) => {
  const last = index === EVENTS - 1;
  const type = last ? 'image_generation.completed' : 'image_generation.partial_image';
  const event = {
    type,
    ...(last ? { usage: USAGE } : { partial_image_index: index }),
    b64_json: 'A'.repeat(EVENT_BYTES),
    created_at: 1_790_000_000,
    size: '1024x1024',
    quality: 'low',
    background: 'opaque',
    output_format: 'png',
  };
  return piece(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
});

let answered = 0;

function answer(socket: Socket, request: string): void {
  if (request.startsWith('GET /stats')) {
    socket.write(json({ answered }));
    return;
  }
  const mark = /bench-(?:speech|image|stream|chat|responses|messages)[\w-]*/.exec(request)?.[0] ?? '';
  const pieces = mark === 'bench-stream' ? IMAGE_STREAM : TEXT_STREAMS[mark];
  if (pieces) {
    stream(socket, pieces);
    return;
  }
  const bytes = TEXTS[mark] ?? ANSWERS[mark];
  if (!bytes) throw new Error(`no scenario in ${request.slice(0, 200)}`);
  answered++;
  socket.write(bytes);
}

function stream(socket: Socket, pieces: readonly Buffer[]): void {
  let index = 0;
  socket.write(STREAM_HEAD);
  const timer = setInterval(() => {
    socket.write(pieces[index++]!);
    if (index < pieces.length) return;
    clearInterval(timer);
    answered++;
    socket.write(STREAM_END);
  }, EVENT_PAUSE_MS);
  socket.once('close', () => clearInterval(timer));
}

const server = createServer({ noDelay: true }, (socket) => {
  let received = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (text: string) => {
    received += text;
    for (;;) {
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
      const end = head + 4 + length;
      if (received.length < end) return;
      answer(socket, received.slice(0, end));
      received = received.slice(end);
    }
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as { port: number }).port}\n`),
);
