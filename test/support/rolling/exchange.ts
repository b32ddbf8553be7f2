import { request, type Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request that is sent once. */
export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly key: string;
  readonly contentType?: string;
  readonly body?: Buffer;
  /** Sends the body in this number of pieces, with a pause before each. */
  readonly pieces?: { readonly number: number; readonly pauseMs: number };
  /** Default: a separate connection. */
  readonly agent?: Agent;
}

/** The response, as its caller sees it. */
export interface Received {
  /** 0 if no response arrived. */
  readonly status: number;
  readonly generationId: string | undefined;
  readonly bytes: Buffer;
  /** Whether the response was received completely. */
  readonly whole: boolean;
  /** The error of the connection. */
  readonly error: string | undefined;
  /** Whether the connection was used by an earlier request. */
  readonly reused: boolean;
}

/** Sends a request, without a retry. Never throws. */
export function exchange({ method, url, key, contentType, body, pieces, agent }: Sent): Promise<Received> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(body === undefined ? {} : { 'content-length': body.length }),
  };
  return new Promise((resolve) => {
    const call = request(url, { method, headers, agent: agent ?? false });
    let error: string | undefined;
    let answered = false;
    const nothing = { status: 0, generationId: undefined, bytes: Buffer.alloc(0), whole: false };
    call.on('error', (reason: NodeJS.ErrnoException) => {
      error ??= reason.code ?? reason.message;
      if (!answered) resolve({ ...nothing, error, reused: call.reusedSocket });
    });
    call.once('response', (response) => {
      answered = true;
      const received: Buffer[] = [];
      response.on('data', (piece: Buffer) => received.push(piece));
      response.on('error', (reason: NodeJS.ErrnoException) => (error ??= reason.code ?? reason.message));
      response.once('close', () =>
        resolve({
          status: response.statusCode!,
          generationId: response.headers['x-generation-id'] as string | undefined,
          bytes: Buffer.concat(received),
          whole: response.complete,
          error,
          reused: call.reusedSocket,
        }),
      );
    });
    if (body && pieces) void writeSlowly(call, body, pieces);
    else call.end(body);
  });
}

async function writeSlowly(
  call: ReturnType<typeof request>,
  body: Buffer,
  { number, pauseMs }: NonNullable<Sent['pieces']>,
): Promise<void> {
  const size = Math.ceil(body.length / number);
  for (let at = 0; at < body.length && !call.destroyed; at += size) {
    await sleep(pauseMs);
    call.write(body.subarray(at, at + size));
  }
  call.end();
}
