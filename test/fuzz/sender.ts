import { Pool } from 'undici';
import type { FuzzRequest, FuzzResponse } from './requests/fuzz-request.js';

const RESPONSE_WITHIN_MS = 60_000;

/** Sends requests unchanged: it adds no header and does not normalise the path. */
export class Sender {
  readonly #pool: Pool;

  constructor(origin: string, connections: number) {
    this.#pool = new Pool(origin, { connections, headersTimeout: RESPONSE_WITHIN_MS, bodyTimeout: RESPONSE_WITHIN_MS });
  }

  /** The response, or the error if there is none. */
  async send({ method, path, headers, body, leaves }: FuzzRequest): Promise<FuzzResponse | Error> {
    try {
      const response = await this.#pool.request({ method, path, headers, body: body ?? null });
      const head = { status: response.statusCode, headers: headersOf(response.headers) };
      if (leaves && response.statusCode < 300) {
        // Close the connection before the rest of the body is read.
        const closed = new Promise((resolve) => response.body.once('close', resolve));
        response.body.on('error', () => undefined).destroy();
        await closed;
        return { ...head, body: Buffer.alloc(0) };
      }
      return await response.body.arrayBuffer().then(
        (body) => ({ ...head, body: Buffer.from(body) }),
        () => ({ ...head, body: Buffer.alloc(0), isCut: true }),
      );
    } catch (error) {
      return error as Error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  return headers;
}
