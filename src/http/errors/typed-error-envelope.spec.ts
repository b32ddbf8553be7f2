import { GatewayError, notFound, type ErrorDetails, type ErrorKind } from '../../kernel/errors/errors.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { asGatewayError } from './error-envelope.js';
import { toTypedEnvelope } from './typed-error-envelope.js';

const metadataOf = (kind: ErrorKind, details?: ErrorDetails, message = 'no'): unknown =>
  toTypedEnvelope(new GatewayError(kind, message, details)).body.error.metadata;

describe('the envelope of errors with types', () => {
  it.each([
    ['invalid_request', 400, 'invalid_request'],
    ['unauthenticated', 401, 'authentication'],
    ['insufficient_credits', 402, 'payment_required'],
    ['forbidden', 403, 'permission_denied'],
    ['not_found', 404, 'not_found'],
    ['deadline_exceeded', 408, 'timeout'],
    ['payload_too_large', 413, 'payload_too_large'],
    ['rate_limited', 429, 'rate_limit_exceeded'],
    ['internal', 500, 'server'],
    ['provider_failed', 502, 'provider_unavailable'],
    ['unavailable', 503, 'provider_unavailable'],
    ['provider_timeout', 524, 'timeout'],
    ['provider_overloaded', 529, 'provider_overloaded'],
  ] as const)('gives %s the status %i and the type %s', (kind, status, type) => {
    expect(toTypedEnvelope(new GatewayError(kind, 'no'))).toEqual({
      status,
      body: { error: { code: STATUS[kind], message: 'no', metadata: { error_type: type } } },
    });
  });

  it.each([
    ['context_length_exceeded', 'no', 'context_length_exceeded'],
    ['string_above_max_length', 'no', 'string_too_long'],
    ['content_filter', 'no', 'content_policy_violation'],
    ['image_too_large', 'no', 'image_too_large'],
    ['unheard_of', 'no', 'invalid_request'],
    [undefined, 'prompt is too long: 210000 tokens > 200000 maximum', 'context_length_exceeded'],
    [undefined, 'The input token count (1200000) exceeds the maximum number of tokens', 'context_length_exceeded'],
    [undefined, 'max_tokens: 100000 > 8192, which is the maximum allowed', 'max_tokens_exceeded'],
    [undefined, "This model's maximum context length is 8192 tokens", 'context_length_exceeded'],
  ])("returns a vendor's 400 with code %s and message %s as %s", (vendorCode, message, type) => {
    const facts = vendorCode === undefined ? undefined : { vendorCode };
    expect(metadataOf('invalid_request', { vendorStatus: 400, facts }, message)).toMatchObject({ error_type: type });
  });

  it('derives no type from the message of a 400 of this service', () => {
    expect(metadataOf('invalid_request', {}, 'prompt is too long')).toEqual({ error_type: 'invalid_request' });
  });

  it('contains the provider, its code and the previous failures', () => {
    const previous = [{ provider: 'North', code: 'overloaded_error', status: 529 }];
    const facts = { provider: 'South', vendorCode: 'server_error', previous };
    expect(metadataOf('provider_failed', { facts, vendorStatus: 500 })).toEqual({
      error_type: 'provider_unavailable',
      provider_name: 'South',
      provider_code: 'server_error',
      previous_errors: previous,
    });
  });

  it('contains the limit and the tokens of a 402, and no amount', () => {
    const facts = {
      exhausted: { limit: 'credits', remaining: 77n },
      tokens: { requested: 100, affordable: 7 },
    } as const;
    expect(metadataOf('insufficient_credits', { facts })).toEqual({
      error_type: 'payment_required',
      limit_source: 'credits',
      requested_tokens: 100,
      affordable_tokens: 7,
    });
  });

  it('contains the availability code of a 404, and whether a retry may succeed', () => {
    expect(toTypedEnvelope(notFound('no', 'constraint_filtered')).body.error.metadata).toEqual({
      error_type: 'not_found',
      availability: { code: 'constraint_filtered', retryable: false },
    });
    expect(toTypedEnvelope(notFound('no', 'temporarily_unavailable')).body.error.metadata).toMatchObject({
      availability: { retryable: true },
    });
  });

  it('contains no details of the vendor in a 500', () => {
    const facts = { provider: 'South', vendorCode: 'secret_state' };
    expect(metadataOf('internal', { facts })).toEqual({ error_type: 'server' });
    expect(toTypedEnvelope(asGatewayError(new TypeError('inside'))).body.error).toEqual({
      code: 500,
      message: expect.not.stringContaining('inside'),
      metadata: { error_type: 'server' },
    });
  });
});
