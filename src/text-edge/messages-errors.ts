import { applyDecorators, Catch, UseFilters } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiResponse } from '@nestjs/swagger';
import { STATUS } from '../kernel/errors/error-status.js';
import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import { MESSAGES_ERROR_TYPES, messagesErrorType } from '../formats/messages/errors.js';
import { currentRequest } from '../kernel/request-scope.js';
import { toTypedEnvelope, TypedErrorFilter, TypedErrorMetadata } from '../http/errors/error-types.js';
import { kindsOf } from '../http/errors/fails-with.decorator.js';
import { MEANING } from '../http/errors/status-meanings.js';

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

  /** The generation id, where the call was attempted. */
  @ApiPropertyOptional({ type: String, nullable: true })
  readonly request_id: string | null;
}

/** Undefined = a defect of this service. */
export function toMessagesEnvelope(error: GatewayError | undefined): { status: number; body: MessagesErrorEnvelope } {
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

@Catch()
export class MessagesErrorFilter extends TypedErrorFilter {
  protected override toResponse(error: GatewayError | undefined): { status: number; body: object } {
    return toMessagesEnvelope(error);
  }
}

/** For routes of this format: sends and documents errors in its envelope, with the arguments of `@ErrorTypes`. */
export function MessagesErrors(...kinds: readonly ErrorKind[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    UseFilters(MessagesErrorFilter),
    ...kindsOf(kinds).map((kind) =>
      ApiResponse({
        status: STATUS[kind],
        description: MEANING[kind],
        type: MessagesErrorEnvelope,
        example: toMessagesEnvelope(new GatewayError(kind, MEANING[kind])).body,
      }),
    ),
  );
}
