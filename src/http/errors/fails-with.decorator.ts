import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import type { ErrorKind } from '../../kernel/errors/errors.js';
import { envelopeOf, ErrorEnvelope } from './error-envelope.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { MEANING } from './status-meanings.js';

/** The kinds of error that any route may return (docs/api-rules.md, section 2). */
const EVERYWHERE: readonly ErrorKind[] = [
  'invalid_request',
  'unauthenticated',
  'payload_too_large',
  'rate_limited',
  'internal',
  'unavailable',
];

/** The failures of a call to a model. */
export const INFERENCE_FAILURES: readonly ErrorKind[] = [
  'insufficient_credits',
  'forbidden',
  'not_found',
  'provider_failed',
  'provider_timeout',
  'provider_overloaded',
];

/** Documents these kinds of error, and the kinds that any route may return. `bodyOf`: the documentation of the body. */
export function failureResponses(
  kinds: readonly ErrorKind[],
  bodyOf: (kind: ErrorKind) => ApiResponseOptions,
): MethodDecorator & ClassDecorator {
  const documented = [...new Set([...EVERYWHERE, ...kinds])].sort((a, b) => STATUS[a] - STATUS[b]);
  return applyDecorators(
    ...documented.map((kind) => ApiResponse({ status: STATUS[kind], description: MEANING[kind], ...bodyOf(kind) })),
  );
}

const exampleOf = (kind: ErrorKind): ErrorEnvelope => envelopeOf(STATUS[kind], MEANING[kind]);

/** Documents the failures of a route, and the failures that any route may have. */
export const FailsWith = (...kinds: readonly ErrorKind[]): MethodDecorator & ClassDecorator =>
  failureResponses(kinds, (kind) => ({ type: ErrorEnvelope, example: exampleOf(kind) }));

/**
 * Documents the failures of a route to which browsers navigate. A failure is sent as a page, or in the envelope if it
 * occurs before the filter that sends pages.
 */
export const FailsWithPage = (...kinds: readonly ErrorKind[]): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ErrorEnvelope),
    failureResponses(kinds, (kind) => ({
      content: {
        'text/html': { schema: { type: 'string' } },
        'application/json': { schema: { $ref: getSchemaPath(ErrorEnvelope) }, example: exampleOf(kind) },
      },
    })),
  );
