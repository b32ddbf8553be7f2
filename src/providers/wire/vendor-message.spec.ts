import { SecretValue } from '../../kernel/secret-value.js';
import { vendorCode, vendorMessage } from './vendor-message.js';

const SECRET = 'my+own/credential=0123456789';
const messageOf = (body: unknown): string | undefined =>
  vendorMessage(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), new SecretValue(SECRET));

describe('the message of a vendor about a request', () => {
  it.each([
    [{ error: { message: 'Invalid size' } }, 'Invalid size'],
    [{ error: 'Invalid size' }, 'Invalid size'],
    [{ message: 'Invalid size' }, 'Invalid size'],
    [{ detail: 'Invalid\n\tsize\u0000' }, 'Invalid size'],
  ])('is found in %j', (body, message) => {
    expect(messageOf(body)).toBe(message);
  });

  it.each(['', 'oops', '[]', 'null', '{"error":{"message":7}}', '{"error":{"message":"  "}}'])(
    'is undefined for %s',
    (body) => {
      expect(messageOf(body)).toBeUndefined();
    },
  );

  it.each([
    ['the credential in use', `key ${SECRET} is wrong`],
    ['the URL form of the credential', `key ${encodeURIComponent(SECRET)} is wrong`],
    ['the base64 form of the credential', `key ${Buffer.from(SECRET).toString('base64')} is wrong`],
    ['a key', 'key sk-proj-abcdefghijkl is wrong'],
    ['a masked key', 'key abcd****************wxyz is wrong'],
    ['a bearer token', 'key Bearer abc.def is wrong'],
    ['a JWT', 'key eyJhbGciOi.eyJzdWIi.c2ln is wrong'],
  ])('has [redacted] in place of %s', (_, message) => {
    expect(messageOf({ error: { message } })).toBe('key [redacted] is wrong');
  });

  it('has [redacted] in place of long members of a JSON credential, but not of short members', () => {
    const credential = new SecretValue(JSON.stringify({ region: 'us-east-1', secretAccessKey: 'hidden+member/1' }));
    const body = { message: `us-east-1: hidden+member/1, ${encodeURIComponent('hidden+member/1')}` };
    expect(vendorMessage(Buffer.from(JSON.stringify(body)), credential)).toBe('us-east-1: [redacted], [redacted]');
  });

  it.each(['a-', 'eyJ-'])('is read in less than 0.4 s of CPU time even if it repeats %s', (part) => {
    const body = JSON.stringify({ message: part.repeat(65_536 / part.length) });
    const before = process.cpuUsage();
    expect(messageOf(body)).toHaveLength(501);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(400_000);
  });

  it('is truncated if it is long', () => {
    expect(messageOf({ error: { message: 'x'.repeat(10_000) } })).toHaveLength(501);
  });
});

describe("a vendor's code", () => {
  const codeOf = (body: unknown): string | undefined =>
    vendorCode(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), new SecretValue(SECRET));

  it.each([
    [{ error: { code: 'context_length_exceeded', type: 'invalid_request_error' } }, 'context_length_exceeded'],
    [{ type: 'error', error: { type: 'overloaded_error' } }, 'overloaded_error'],
    [{ error: { code: 400, status: 'INVALID_ARGUMENT' } }, 'INVALID_ARGUMENT'],
    [{ error: 'no', code: 'bad_request' }, 'bad_request'],
  ])('is found in %j', (body, code) => {
    expect(codeOf(body)).toBe(code);
  });

  it.each([
    ['', undefined],
    ['[]', undefined],
    [{ error: { code: 'two words' } }, undefined],
    [{ error: { code: 'a'.repeat(65) } }, undefined],
    [{ error: { code: 'sk-proj-abcdefghijkl' } }, undefined],
  ])('is undefined for %j', (body, code) => {
    expect(codeOf(body)).toBe(code);
  });
});
