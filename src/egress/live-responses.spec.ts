import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Notifications } from '../database/notifications.js';
import { LiveResponses } from './live-responses.js';
import { SecretMatcher } from './masking/secret-matcher.js';
import type { ResponseMasks } from './response-masks.js';

const PAIR = { internId: 'an intern', host: 'api.bound.test' };
const closedStream = (): PassThrough => new PassThrough().destroy();
/** Like a response of HTTP/2, which has no member `destroyed`. */
const closedResponse = (): EventEmitter => Object.assign(new EventEmitter(), { stream: { destroyed: true } });

describe('a response with masked secrets', () => {
  let changed: () => void;
  let matchers: number;
  let responses: LiveResponses;

  beforeEach(() => {
    matchers = 0;
    const notifications = { on: (_: string, handler: () => void) => (changed = handler), onGap: () => undefined };
    const masks = { of: async () => SecretMatcher.of([`secret number ${++matchers}`]) };
    responses = new LiveResponses(masks as unknown as ResponseMasks, notifications as unknown as Notifications);
  });
  afterEach(() => responses.onModuleDestroy());

  it('is cut off when a further secret is bound to its host', async () => {
    const response = new PassThrough();
    await responses.matcherFor(PAIR, response);
    changed();
    await turn();
    expect(response.destroyed).toBe(true);
  });

  it.each([
    ['a socket', closedStream],
    ['a response of HTTP/2', closedResponse],
  ])('is not watched for changes if %s closed before the matcher was requested', async (_, closed) => {
    const sink = closed();
    await turn();
    await responses.matcherFor(PAIR, sink as PassThrough);
    changed();
    await turn();
    expect(matchers).toBe(1);
  });
});
