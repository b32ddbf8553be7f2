import type { ErrorKind, GatewayError } from './errors.js';

/** The published names of failures, in the published order. */
export const ERROR_TYPES = [
  'context_length_exceeded',
  'max_tokens_exceeded',
  'token_limit_exceeded',
  'string_too_long',
  'authentication',
  'permission_denied',
  'payment_required',
  'rate_limit_exceeded',
  'provider_overloaded',
  'provider_unavailable',
  'invalid_request',
  'invalid_prompt',
  'not_found',
  'precondition_failed',
  'payload_too_large',
  'unprocessable',
  'content_policy_violation',
  'refusal',
  'invalid_image',
  'image_too_large',
  'image_too_small',
  'unsupported_image_format',
  'image_not_found',
  'image_download_failed',
  'server',
  'timeout',
  'unmapped',
  // Names that this service adds:
  'budget_exceeded',
  'budget_insufficient',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

const OF_KIND: Record<ErrorKind, ErrorType> = {
  invalid_request: 'invalid_request',
  unauthenticated: 'authentication',
  insufficient_credits: 'payment_required',
  budget_exceeded: 'budget_exceeded',
  forbidden: 'permission_denied',
  not_found: 'not_found',
  deadline_exceeded: 'timeout',
  conflict: 'precondition_failed',
  gone: 'precondition_failed',
  payload_too_large: 'payload_too_large',
  unsupported_media_type: 'invalid_request',
  rate_limited: 'rate_limit_exceeded',
  caller_gone: 'unmapped',
  internal: 'server',
  provider_failed: 'provider_unavailable',
  unavailable: 'provider_unavailable',
  run_timeout: 'timeout',
  provider_timeout: 'timeout',
  provider_overloaded: 'provider_overloaded',
};

/** Error type by a vendor's code for an invalid request. */
const OF_VENDOR_CODE: ReadonlyMap<string, ErrorType> = new Map<string, ErrorType>([
  ['context_length_exceeded', 'context_length_exceeded'],
  ['string_above_max_length', 'string_too_long'],
  ['invalid_prompt', 'invalid_prompt'],
  ['content_filter', 'content_policy_violation'],
  ['content_policy_violation', 'content_policy_violation'],
  ['image_content_policy_violation', 'content_policy_violation'],
  ['moderation_blocked', 'content_policy_violation'],
  ['invalid_image', 'invalid_image'],
  ['invalid_base64_image', 'invalid_image'],
  ['image_parse_error', 'invalid_image'],
  ['empty_image_file', 'invalid_image'],
  ['invalid_image_url', 'image_download_failed'],
  ['failed_to_download_image', 'image_download_failed'],
  ['image_file_not_found', 'image_not_found'],
  ['image_too_large', 'image_too_large'],
  ['image_file_too_large', 'image_too_large'],
  ['image_too_small', 'image_too_small'],
  ['invalid_image_format', 'unsupported_image_format'],
  ['unsupported_image_media_type', 'unsupported_image_format'],
]);

/** Error type by the message of vendors that have no code. */
const OF_VENDOR_MESSAGE: readonly (readonly [RegExp, ErrorType])[] = [
  [/\bmax(?:_completion|_output)?_tokens\b.{0,40}(?:too large|>|exceed|maximum)/i, 'max_tokens_exceeded'],
  [
    /context (?:length|window)|prompt is too long|input token count|too many (?:input )?tokens/i,
    'context_length_exceeded',
  ],
];

/** The published name of a failure. `error`: undefined = a defect of this service. */
export function errorTypeOf(error: GatewayError | undefined): ErrorType {
  if (!error) return OF_KIND.internal;
  const { kind, message, vendorStatus, facts } = error;
  if (kind === 'insufficient_credits' && facts?.budget) return 'budget_insufficient';
  if (kind !== 'invalid_request' || vendorStatus === undefined) return OF_KIND[kind];
  return (
    OF_VENDOR_CODE.get(facts?.vendorCode ?? '') ??
    OF_VENDOR_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ??
    OF_KIND.invalid_request
  );
}
