import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { ErrorKind } from '../kernel/errors.js';
import { ErrorEnvelope } from './error-envelope.js';
import { MEANING, STATUS } from './status-table.js';

/** Any route may answer these (wire-notes section 2). */
const EVERYWHERE: readonly ErrorKind[] = [
  'invalid_request',
  'unauthenticated',
  'payload_too_large',
  'rate_limited',
  'internal',
  'unavailable',
];

/** Documents the ways a route fails, besides those that any route may answer. */
export function FailsWith(...kinds: readonly ErrorKind[]): MethodDecorator & ClassDecorator {
  const all = [...new Set([...EVERYWHERE, ...kinds])].sort((a, b) => STATUS[a] - STATUS[b]);
  return applyDecorators(
    ...all.map((kind) => ApiResponse({ status: STATUS[kind], description: MEANING[kind], type: ErrorEnvelope })),
  );
}
