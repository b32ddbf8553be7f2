import type { Response } from 'express';
import { inRequestScope, RequestScope } from '../kernel/request-scope.js';
import { EventOutlet } from '../http/reply/event-outlet.js';
import type { TextRequest } from '../formats/client-format.js';
import type { TextInference } from '../inference/capabilities/text.js';
import type { InferenceContext } from '../inference/task.js';
import { TextEndpoint } from './text-endpoint.js';

describe('X-Gatehouse-Adjusted', () => {
  type Send = (response: Response) => void | Promise<void>;
  const headersOf = async (adjusted: readonly string[] | undefined, send: Send): Promise<object> => {
    let headers = {};
    const response = {
      headersSent: false,
      writeHead: (_: number, sent: object) => (headers = sent),
      write: () => true,
      end: () => undefined,
    } as unknown as Response;
    const scope = new RequestScope('req-1');
    scope.adjusted = adjusted;
    await inRequestScope(scope, () => send(response));
    return headers;
  };
  const text = { complete: () => Promise.resolve({ content: '{}', generationId: 'gen-1' }) };
  const complete = (response: Response): Promise<void> =>
    new TextEndpoint(text as unknown as TextInference).serve({} as TextRequest, {} as InferenceContext, response);
  const stream = (response: Response): void => {
    const outlet = new EventOutlet(response);
    void outlet.write('data: 1\n\n');
    outlet.release();
  };

  it.each([
    ['a complete response', complete],
    ['a stream', stream],
  ])('lists the changes of the request on %s, separated by semicolons', async (_, send) => {
    expect(await headersOf(['max_tokens=8192', 'tools=web_search'], send)).toMatchObject({
      'x-gatehouse-adjusted': 'max_tokens=8192; tools=web_search',
    });
  });

  it.each([
    ['a complete response', complete],
    ['a stream', stream],
  ])('is absent on %s if the request was sent unchanged', async (_, send) => {
    for (const adjusted of [undefined, []])
      expect(await headersOf(adjusted, send)).not.toHaveProperty('x-gatehouse-adjusted');
  });
});
