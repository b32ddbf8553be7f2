import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TokenRefusal } from '../../applications/token-refusal.js';
import { toEnvelope } from '../../http/errors/error-envelope.js';
import { errorsIn } from '../../http/errors/typed-error-envelope.js';
import { ClosedObject } from '../../http/validation/closed-object.decorator.js';
import type { ErrorKind, GatewayError } from '../../kernel/errors/errors.js';

const CODES = [
  'invalid_request',
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
] as const;
type OAuthErrorCode = (typeof CODES)[number];

/** An error of the token exchange, in the form of RFC 6749, section 5.2. */
@ClosedObject()
export class OAuthErrorResponse {
  @ApiProperty({ enum: CODES })
  readonly error: OAuthErrorCode;

  /** Human-readable text. */
  @ApiPropertyOptional({ type: String })
  readonly error_description: string;
}

/** The codes of temporary errors, after which the same request can be retried. */
const CODE_OF_KIND: Partial<Record<ErrorKind, OAuthErrorCode>> = {
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  deadline_exceeded: 'temporarily_unavailable',
};

function toOAuthError(error: GatewayError | undefined): { status: number; body: OAuthErrorResponse } {
  const { status, body } = toEnvelope(error);
  const ofStatus = (error && CODE_OF_KIND[error.kind]) ?? (status < 500 ? 'invalid_request' : 'server_error');
  const code = error instanceof TokenRefusal ? error.code : ofStatus;
  return { status, body: { error: code, error_description: body.error.message } };
}

/** Sends and documents the errors of a route in the format of OAuth. */
export const OAuthErrors = (): MethodDecorator =>
  errorsIn(toOAuthError, OAuthErrorResponse as Type, ['deadline_exceeded']);
