import { SecretValue } from '../../kernel/secret-value.js';
import { faultOfMember } from './error-member.js';

describe('error member', () => {
  it.each([
    [{ message: 'x', code: 429 }, 'rate_limited'],
    [{ message: 'x', code: 'rate_limit_exceeded' }, 'rate_limited'],
    [{ message: 'x', type: 'overloaded_error' }, 'provider_overloaded'],
    [{ message: 'x', status: 400 }, 'invalid_request'],
    [{ message: 'x', code: 'context_length_exceeded' }, 'invalid_request'],
    [{ message: 'x', code: 'invalid_api_key' }, 'provider_failed'],
    [{ object: 'error', message: 'x', type: 'BadRequestError', code: 400 }, 'invalid_request'],
    [{ type: 'error', error: { type: 'timeout_error' } }, 'provider_timeout'],
    [{ code: 'InvalidParameter', message: 'x' }, 'invalid_request'],
    [{ message: 'x' }, 'provider_failed'],
    ['some text', 'provider_failed'],
    [{}, 'provider_failed'],
    [{ code: {}, type: [], message: 5 }, 'provider_failed'],
  ])('%j has the kind %s', (error, kind) => {
    expect(faultOfMember(error, null).kind).toBe(kind);
  });

  it.each([
    [{ message: 'x', code: 'context_length_exceeded' }, 'context_length_exceeded'],
    [{ type: 'error', error: { type: 'timeout_error' } }, 'timeout_error'],
    [{ message: 'x', code: 400 }, undefined],
    [{ message: 'x', code: 'invalid_api_key' }, undefined],
    [{ message: 'x', code: 'my-own-secret' }, undefined],
    ['some text', undefined],
  ])("%j has the vendor's own code %s", (error, code) => {
    expect(faultOfMember(error, new SecretValue('my-own-secret')).facts?.vendorCode).toBe(code);
  });

  it("contains the vendor's message for a bad request, without credentials", () => {
    const secret = new SecretValue('my-own-secret');
    const { message } = faultOfMember(
      { code: 400, message: 'n too large for my-own-secret, sk-abcdef0123456789' },
      secret,
    );
    expect(message).toBe('n too large for [redacted], [redacted]');
  });
});
