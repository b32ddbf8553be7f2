import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PIECE = Buffer.alloc(65_536, 1);
const PICTURE = Buffer.alloc(12_000_000, 7).toString('base64');

export interface EndlessVendor {
  /** The value for OPENAI_BASE_URL. */
  readonly baseUrl: string;
  /** Calls whose connection is open. */
  readonly open: number;
  close(): Promise<void>;
}

/**
 * A vendor of OpenAI's format on loopback that sends more than socket buffers can store. Its speech has no end, its
 * pictures have 16 MB of base64, and a stream of pictures has previews without an end. Exception: for an input
 * `pause N`, the speech ends after two pieces with N ms between them.
 */
export async function startEndlessVendor(): Promise<EndlessVendor> {
  let open = 0;
  const server = createServer((request, response) => {
    open++;
    response.once('close', () => open--);
    void answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get open() {
      return open;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(request: AsyncIterable<Buffer> & { url?: string }, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const asked = JSON.parse(Buffer.concat(chunks).toString()) as { input?: string; stream?: boolean };
  if (request.url === '/v1/audio/speech') return speak(response, Number(/^pause (\d+)$/.exec(asked.input!)?.[1] ?? -1));
  if (asked.stream !== true) {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ created: 1, data: [{ b64_json: PICTURE }] }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const data = { type: 'image_generation.partial_image', partial_image_index: 0, b64_json: PICTURE };
  const event = `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  for (;;) await written(response, Buffer.from(event));
}

async function speak(response: ServerResponse, pauseMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  if (pauseMs >= 0) {
    await written(response, PIECE);
    await sleep(pauseMs);
    response.end(PIECE);
    return;
  }
  for (;;) await written(response, PIECE);
}

async function written(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (response.destroyed) throw new Error('the gateway closed the connection');
  if (response.write(bytes)) return;
  // Removes the listener of the event that did not occur. Otherwise a long response would accumulate listeners.
  const waited = new AbortController();
  const { signal } = waited;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  waited.abort();
}
