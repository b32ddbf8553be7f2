import type { IncomingMessage } from 'node:http';
import { SESSION_COOKIE } from '../kernel/console-request.js';
import { tokenOf } from './session-cookie.js';

const TOKEN = 'a'.repeat(43);
const withCookie = (cookie: string): IncomingMessage => ({ headers: { cookie } }) as IncomingMessage;

describe('the token in the cookie of a session', () => {
  it('is found among other cookies', () => {
    expect(tokenOf(withCookie(`a=1=2; ${SESSION_COOKIE}=${TOKEN}; b`))).toBe(TOKEN);
  });

  it.each([
    ['has text after a second =', `${SESSION_COOKIE}=${TOKEN}=x`],
    ['has no value', SESSION_COOKIE],
    ['is sent twice', `${SESSION_COOKIE}=${TOKEN}; ${SESSION_COOKIE}=${TOKEN}`],
  ])('is not accepted if it %s', (_, cookie) => {
    expect(tokenOf(withCookie(cookie))).toBeUndefined();
  });
});
