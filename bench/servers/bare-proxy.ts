/**
 * The minimal proxy in Node: it receives requests with node:http and calls the vendor with undici's dispatch. It
 * forwards bytes as they arrive, and parses nothing.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent } from 'undici';

const VENDOR = process.env['VENDOR_URL']!;
const PATHS: Readonly<Record<string, string>> = {
  '/api/v1/images': '/v1/images/generations',
  '/api/v1/audio/speech': '/v1/audio/speech',
  '/api/v1/chat/completions': '/v1/chat/completions',
  '/api/v1/messages': '/v1/messages',
  '/api/v1/responses': '/v1/responses',
};
const agent = new Agent({ allowH2: false, pipelining: 1 });

function forward(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  agent.dispatch(
    {
      origin: VENDOR,
      path: PATHS[request.url!]!,
      method: 'POST',
      headers: ['content-type', 'application/json', 'authorization', 'Bearer x'],
      body,
    },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_, status, headers) => {
        const length = headers['content-length'] as string | undefined;
        response.writeHead(status, {
          'content-type': headers['content-type'] as string,
          ...(length ? { 'content-length': length } : {}),
        });
      },
      onResponseData: (controller, chunk) => {
        if (response.write(chunk)) return;
        controller.pause();
        response.once('drain', () => controller.resume());
      },
      onResponseEnd: () => void response.end(),
      onResponseError: (_, error) => {
        process.stderr.write(`${error.message}\n`);
        response.destroy();
      },
    },
  );
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => forward(request, response, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as { port: number }).port}\n`),
);
