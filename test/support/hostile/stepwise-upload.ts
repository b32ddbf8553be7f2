import { request } from 'node:http';
import { TEST_MANAGEMENT_KEY, type TestService } from '../services/test-service.js';

export interface Sending {
  readonly body: Buffer;
  readonly contentType: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the body in pieces of this size. Continues after an early response, as simple clients do. */
export const sendUpload = (
  service: Pick<TestService, 'origin'>,
  { body, contentType, headers }: Sending,
  step: number,
  declared = true,
): Promise<{ status: number; json: { error: { code: number; message: string } } }> =>
  new Promise((resolve, reject) => {
    const sending = request(`${service.origin}/api/v1/files`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${TEST_MANAGEMENT_KEY}`,
        ...(declared ? { 'content-length': body.length } : {}),
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...headers,
      },
    });
    let answered = false;
    sending.on('response', (response) => {
      answered = true;
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode!, json: JSON.parse(text) }));
    });
    sending.on('error', (error) => (answered ? undefined : reject(error)));
    let at = 0;
    const write = (): void => {
      while (at < body.length && !answered) {
        const piece = body.subarray(at, (at += step));
        if (!sending.write(piece)) return void sending.once('drain', write);
      }
      sending.end();
    };
    write();
  });

/** The same form with a few bytes changed, removed or duplicated. Deterministic for a seed. */
export function spoiled(body: Buffer, seed: number): Buffer {
  let state = seed + 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  let bytes = [...body];
  for (let change = 0; change < 1 + (seed % 3); change++) {
    const at = next(bytes.length);
    const kind = next(4);
    if (kind === 0) bytes[at] = next(256);
    else if (kind === 1) bytes.splice(at, 1 + next(10));
    else if (kind === 2) bytes.splice(at, 0, ...bytes.slice(at, at + next(40)));
    else bytes = [...bytes.slice(0, at), 0x0d, 0x0a, 0x2d, 0x2d, ...bytes.slice(at)];
  }
  return Buffer.from(bytes);
}
