import type { Response } from 'express';
import { inRequestScope, RequestScope } from '../kernel/request-scope.js';
import { EventOutlet } from '../http/reply/event-outlet.js';
import { sendCompletion } from './text-reply.js';

describe('X-Gatehouse-Adjusted', () => {
  const headersOf = (adjusted: readonly string[] | undefined, send: (response: Response) => void): object => {
    let headers = {};
    const response = {
      headersSent: false,
      writeHead: (_: number, sent: object) => (headers = sent),
      write: () => true,
      end: () => undefined,
    } as unknown as Response;
    const scope = new RequestScope('req-1');
    scope.adjusted = adjusted;
    inRequestScope(scope, () => send(response));
    return headers;
  };
  const complete = (response: Response): void => sendCompletion(response, { content: '{}', generationId: 'gen-1' });
  const stream = (response: Response): void => {
    const outlet = new EventOutlet(response);
    void outlet.write('data: 1\n\n');
    outlet.release();
  };

  it.each([
    ['a complete response', complete],
    ['a stream', stream],
  ])('is on %s what its request was changed in, separated by semicolons', (_, send) => {
    expect(headersOf(['max_tokens=8192', 'tools=web_search'], send)).toMatchObject({
      'x-gatehouse-adjusted': 'max_tokens=8192; tools=web_search',
    });
  });

  it.each([
    ['a complete response', complete],
    ['a stream', stream],
  ])('is not on %s to a request that was sent as it is', (_, send) => {
    for (const adjusted of [undefined, []])
      expect(headersOf(adjusted, send)).not.toHaveProperty('x-gatehouse-adjusted');
  });
});
