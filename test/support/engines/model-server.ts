import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelServer {
  /** The base URL, including `/v1`. */
  readonly baseUrl: string;
  /** `<method> <path>` of every request, with the credential if there was one. */
  readonly seen: string[];
  /** JSON responses by `<method> <path>`. A text is sent unchanged. Other requests get a 404. */
  answers: Record<string, unknown>;
  close(): Promise<void>;
}

/** Simulates a local model server: returns scripted lists of models. */
export async function startModelServer(answers: Record<string, unknown>): Promise<ModelServer> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const route = `${request.method} ${request.url}`;
      server.seen.push([route, request.headers.authorization].filter(Boolean).join(' '));
      const sent = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as { model: string }) : undefined;
      const answer = server.answers[sent ? `${route} ${sent.model}` : route];
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? { error: 'not found' }));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: ModelServer = {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    seen: [],
    answers,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}
