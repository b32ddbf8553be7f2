import { request, type OutgoingHttpHeaders } from 'node:http';

/**
 * Sends a POST with `Expect: 100-continue`. Returns the status of the response, or 100 if the service requests the body
 * and there is none to send.
 */
export async function postExpectingContinue(url: string, headers: OutgoingHttpHeaders, body?: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const call = request(url, { method: 'POST', headers: { ...headers, expect: '100-continue' } });
  call.on('continue', () => (body === undefined ? resolve(100) : call.end(body)));
  call.on('response', ({ statusCode }) => resolve(statusCode!)).on('error', () => undefined);
  call.flushHeaders();
  try {
    return await promise;
  } finally {
    call.destroy();
  }
}
