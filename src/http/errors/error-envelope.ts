import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { HttpException } from '@nestjs/common';
import { databaseUnavailableError, isMarkedUnavailable } from '../../kernel/errors/database-unavailable.js';
import { GatewayError, type ErrorKind, type ErrorMetadata } from '../../kernel/errors/errors.js';
import { redact } from '../../kernel/text/redact.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { ClosedObject } from '../validation/closed-object.decorator.js';

@ClosedObject()
class ErrorMetadataSchema implements ErrorMetadata {
  /** Machine-readable reason. */
  @ApiProperty({ type: String })
  readonly reason: string;

  /** Whether the same request can be retried. */
  @ApiProperty({ type: Boolean })
  readonly retryable: boolean;
}

@ClosedObject()
class ErrorBodySchema {
  /** Mirrors the HTTP status. */
  @ApiProperty({ type: Number })
  readonly code: number;

  /** Human-readable text. */
  @ApiProperty({ type: String })
  readonly message: string;

  @ApiPropertyOptional({ type: ErrorMetadataSchema })
  readonly metadata?: ErrorMetadataSchema;
}

/** The error envelope of all operations without an envelope of their own (docs/errors.md). */
@ClosedObject()
export class ErrorEnvelope {
  @ApiProperty({ type: ErrorBodySchema })
  readonly error: ErrorBodySchema;
}

/**
 * The maximum length of a message in UTF-16 code units. Without it, a message that quotes a member of a body could be
 * megabytes long.
 */
const MAX_MESSAGE_LENGTH = 4_000;

const KIND_OF_STATUS = new Map<number, ErrorKind>(
  Object.entries(STATUS).map(([kind, status]) => [status, kind as ErrorKind]),
);

/** Converts a thrown value to a GatewayError; undefined if it is an internal fault. */
export function asGatewayError(thrown: unknown): GatewayError | undefined {
  if (thrown instanceof GatewayError) return thrown;
  if (isMarkedUnavailable(thrown)) return databaseUnavailableError(thrown);
  const status = statusOfFrameworkError(thrown);
  const kind =
    status === undefined ? undefined : (KIND_OF_STATUS.get(status) ?? (status < 500 ? 'invalid_request' : undefined));
  return kind && kind !== 'internal'
    ? new GatewayError(kind, messageOfFrameworkError(thrown, kind), { cause: thrown })
    : undefined;
}

/**
 * Returns the status and the body of an error response. An internal fault (undefined) gets a fixed message without
 * internals. Credentials in a message are masked.
 */
export function toEnvelope(error: GatewayError | undefined): { status: number; body: ErrorEnvelope } {
  const status = STATUS[error?.kind ?? 'internal'];
  const message =
    (error && shortened(redact(error.message))) ??
    'Internal error. Try again; if it fails again, give the X-Request-Id to the operator.';
  return { status, body: envelopeOf(status, message, error?.metadata) };
}

const shortened = (message: string): string =>
  message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;

export const envelopeOf = (code: number, message: string, metadata?: ErrorMetadata): ErrorEnvelope => ({
  error: { code, message, ...(metadata ? { metadata: { ...metadata } } : {}) },
});

function statusOfFrameworkError(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const status = (thrown as { status?: unknown } | null)?.status;
  return thrown instanceof URIError
    ? 400
    : typeof status === 'number' && status >= 400 && status < 500
      ? status
      : undefined;
}

function messageOfFrameworkError(thrown: unknown, kind: ErrorKind): string {
  if (thrown instanceof URIError) return 'The path is not correctly URL-encoded';
  if (kind === 'not_found') return 'No such operation. See /docs for the operations of this service.';
  return thrown instanceof Error ? thrown.message : 'Invalid request';
}
