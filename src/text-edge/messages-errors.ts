import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { GatewayError, ErrorKind } from '../kernel/errors/errors.js';
import { MESSAGES_ERROR_TYPES, messagesErrorType } from '../formats/messages/errors.js';
import { currentRequest } from '../kernel/request-scope.js';
import { errorsIn, toTypedEnvelope, TypedErrorMetadata } from '../http/errors/typed-error-envelope.js';

class MessagesErrorBody extends TypedErrorMetadata {
  @ApiProperty({ type: String, enum: MESSAGES_ERROR_TYPES })
  readonly type: string;

  /** Human-readable text. */
  @ApiProperty({ type: String })
  readonly message: string;

  /** Mirrors the HTTP status. */
  @ApiProperty({ type: Number })
  readonly code: number;
}

/** The error envelope of `/messages`. */
export class MessagesErrorEnvelope {
  @ApiProperty({ type: String, enum: ['error'] })
  readonly type: string;

  @ApiProperty({ type: MessagesErrorBody })
  readonly error: MessagesErrorBody;

  /** The generation id, if the call was attempted. */
  @ApiPropertyOptional({ type: String, nullable: true })
  readonly request_id: string | null;
}

/** `error`: undefined for an internal fault. */
function toMessagesEnvelope(error: GatewayError | undefined): { status: number; body: MessagesErrorEnvelope } {
  const { status, body } = toTypedEnvelope(error);
  const { code, message, metadata } = body.error;
  return {
    status,
    body: {
      type: 'error',
      error: { type: messagesErrorType(error?.kind), message, code, ...metadata },
      request_id: currentRequest()?.generationId ?? null,
    },
  };
}

/**
 * Sends and documents the errors of a route in the envelope of `/messages`. Takes the same arguments as `@ErrorTypes`.
 */
export const MessagesErrors = (...kinds: readonly ErrorKind[]): MethodDecorator & ClassDecorator =>
  errorsIn(toMessagesEnvelope, MessagesErrorEnvelope, kinds);
