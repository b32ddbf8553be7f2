import { SecretValue } from '../../kernel/secret-value.js';
import { vendorMessage } from './vendor-message.js';

const SECRET = 'my+own/credential=0123456789';
const told = (body: unknown): string | undefined =>
  vendorMessage(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), new SecretValue(SECRET));

describe('what a vendor says of a request', () => {
  it.each([
    [{ error: { message: 'Invalid size' } }, 'Invalid size'],
    [{ error: 'Invalid size' }, 'Invalid size'],
    [{ message: 'Invalid size' }, 'Invalid size'],
    [{ detail: 'Invalid\n\tsize\u0000' }, 'Invalid size'],
  ])('is found in %j', (body, message) => {
    expect(told(body)).toBe(message);
  });

  it.each(['', 'oops', '[]', 'null', '{"error":{"message":7}}', '{"error":{"message":"  "}}'])(
    'is nothing fit to be told in %s',
    (body) => {
      expect(told(body)).toBeUndefined();
    },
  );

  it.each([
    ['the credential in use', `key ${SECRET} is wrong`],
    ['its URL form', `key ${encodeURIComponent(SECRET)} is wrong`],
    ['its base64', `key ${Buffer.from(SECRET).toString('base64')} is wrong`],
    ['a key', 'key sk-proj-abcdefghijkl is wrong'],
    ['a masked key', 'key abcd****************wxyz is wrong'],
    ['a bearer token', 'key Bearer abc.def is wrong'],
    ['a JWT', 'key eyJhbGciOi.eyJzdWIi.c2ln is wrong'],
  ])('has %s masked', (_, message) => {
    expect(told({ error: { message } })).toBe('key [redacted] is wrong');
  });

  it('is cut off where it is long', () => {
    expect(told({ error: { message: 'x'.repeat(10_000) } })).toHaveLength(501);
  });
});
