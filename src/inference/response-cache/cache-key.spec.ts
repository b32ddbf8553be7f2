import { cacheKeyOf, type CachedRequest } from './cache-key.js';

const REQUEST: CachedRequest = {
  format: 'chat',
  isStream: false,
  members: { model: 'a/b', messages: [{ role: 'user', content: 'Hello' }] },
  ignored: new Set(['user']),
  terms: [undefined],
};
const CALLER = { keyHash: 'a'.repeat(64) };
const keyOf = (change: Partial<CachedRequest> = {}, caller = CALLER, credentials: readonly string[] = []): string =>
  cacheKeyOf(caller, credentials, { ...REQUEST, ...change });

describe('the key of a cached request', () => {
  it.each<[string, Partial<CachedRequest>]>([
    ['the order of its members', { members: { messages: REQUEST.members['messages'], model: 'a/b' } }],
    ['a member that is ignored', { members: { ...REQUEST.members, user: 'someone' } }],
    ['its bytes', { bytes: Buffer.from('{"seed":1}') }],
  ])('does not depend on %s', (_, change) => {
    expect(keyOf(change)).toBe(keyOf());
  });

  it.each<[string, Partial<CachedRequest>]>([
    ['its format', { format: 'messages' }],
    ['whether it is streamed', { isStream: true }],
    ['a term', { terms: [100] }],
    ['a member', { members: { ...REQUEST.members, seed: 1 } }],
    ['the name of a member', { members: { 'model"': 'a/b', messages: REQUEST.members['messages'] } }],
    ['the order within a member', { members: { ...REQUEST.members, messages: [{ content: 'Hello', role: 'user' }] } }],
    ['a blank in a text', { members: { ...REQUEST.members, messages: [{ role: 'user', content: 'Hello ' }] } }],
    ['a number of sixteen digits', { bytes: Buffer.from('{"seed":9007199254740993}') }],
  ])('depends on %s', (_, change) => {
    expect(keyOf(change)).not.toBe(keyOf());
  });

  it("depends on the API key, and on the caller's own credentials", () => {
    expect(keyOf({}, { keyHash: 'b'.repeat(64) })).not.toBe(keyOf());
    expect(keyOf({}, CALLER, ['credential'])).not.toBe(keyOf());
  });

  it('differs for a text that looks like two members', () => {
    const one = keyOf({ members: { a: 'x\n"b":"y"' } });
    expect(one).not.toBe(keyOf({ members: { a: 'x', b: 'y' } }));
  });
});
