import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { HttpException } from '@nestjs/common';
import { GatewayError, type ErrorKind, type ErrorMetadata } from '../kernel/errors.js';
import { redact } from '../kernel/redact.js';
import { STATUS } from './status-table.js';

class ErrorMetadataSchema implements ErrorMetadata {
  /** Machine-readable reason. */
  @ApiProperty({ type: String })
  readonly reason: string;

  /** Whether the same request may be sent again. */
  @ApiProperty({ type: Boolean })
  readonly retryable: boolean;
}

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

/** The error envelope of every operation (specification, "Errors"). */
export class ErrorEnvelope {
  @ApiProperty({ type: ErrorBodySchema })
  readonly error: ErrorBodySchema;
}

const KIND_OF_STATUS = new Map<number, ErrorKind>(
  Object.entries(STATUS).map(([kind, status]) => [status, kind as ErrorKind]),
);

/** Makes a GatewayError of whatever was thrown; undefined where it is a defect of ours. */
export function asGatewayError(thrown: unknown): GatewayError | undefined {
  if (thrown instanceof GatewayError) return thrown;
  const status = statusOfFrameworkError(thrown);
  const kind =
    status === undefined ? undefined : (KIND_OF_STATUS.get(status) ?? (status < 500 ? 'invalid_request' : undefined));
  return kind && kind !== 'internal'
    ? new GatewayError(kind, messageOfFrameworkError(thrown, kind), { cause: thrown })
    : undefined;
}

/** Status and body of the answer to a failure; an unexpected one tells nothing of the inside, and none tells a credential that it quotes. */
export function toEnvelope(error: GatewayError | undefined): { status: number; body: ErrorEnvelope } {
  const status = STATUS[error?.kind ?? 'internal'];
  const message =
    (error && redact(error.message)) ?? 'Internal error. Try again; if it goes on, tell the operator the X-Request-Id.';
  return { status, body: envelopeOf(status, message, error?.metadata) };
}

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
