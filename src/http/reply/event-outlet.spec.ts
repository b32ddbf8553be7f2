import { jest } from '@jest/globals';
import type { Response } from 'express';
import { inRequestScope, RequestScope } from '../../kernel/request-scope.js';
import { EventOutlet } from './event-outlet.js';

describe('comments during silences', () => {
  const written: string[] = [];
  const response = {
    destroyed: false,
    headersSent: false,
    writeHead: () => Object.assign(response, { headersSent: true }),
    write: (text: string) => written.push(text) > 0,
    end: () => undefined,
  };
  beforeEach(() => {
    jest.useFakeTimers();
    written.length = 0;
  });
  afterEach(() => void jest.useRealTimers());

  it.each([
    [': GATEHOUSE PROCESSING\n\n', 10_000, undefined],
    [': keepalive\n\n', 30_000, { comment: ': keepalive\n\n', afterMs: 30_000 }],
  ])('are %j after each %i ms without data, and end with release()', (comment, ms, silence) => {
    const outlet = new EventOutlet(response as unknown as Response, silence);
    jest.advanceTimersByTime(ms - 1_000);
    void outlet.write('data: 1\n\n');
    jest.advanceTimersByTime(ms - 1_000);
    expect(written).toEqual(['data: 1\n\n']);
    jest.advanceTimersByTime(2_000);
    expect(written.slice(1)).toEqual([comment]);
    jest.advanceTimersByTime(ms + 1_000);
    expect(written.slice(1)).toEqual([comment, comment]);
    outlet.release();
    jest.advanceTimersByTime(3 * ms);
    expect(written).toHaveLength(3);
  });

  it('begin a response with the headers of its own request, even if another request started the timer', () => {
    const scopes = ['gen-of-one', 'gen-of-other'].map((generationId) =>
      Object.assign(new RequestScope('req'), { generationId }),
    );
    const heads: unknown[] = [];
    const outlets = scopes.map((scope) => {
      const own = { ...response, headersSent: false, writeHead: (_: number, head: object) => heads.push(head) };
      return inRequestScope(scope, () => new EventOutlet(own as unknown as Response));
    });
    inRequestScope(scopes[0], () => jest.advanceTimersByTime(11_000));
    expect(heads).toEqual(
      scopes.map(({ generationId }) => expect.objectContaining({ 'x-generation-id': generationId })),
    );
    for (const outlet of outlets) outlet.release();
  });
});
