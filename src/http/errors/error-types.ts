import { applyDecorators, UseFilters, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiResponse } from '@nestjs/swagger';
import {
  IS_RETRYABLE,
  type ErrorFacts,
  type ExhaustedLimit,
  type PreviousError,
} from '../../kernel/errors/error-facts.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { ERROR_TYPES, errorTypeOf, type ErrorType } from '../../kernel/errors/error-type.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import { currentRequest } from '../../kernel/request-scope.js';
import { toEnvelope } from './error-envelope.js';
import { ErrorEnvelopeFilter, type ErrorForm } from './error-envelope.filter.js';
import { kindsOf } from './fails-with.decorator.js';
import { MEANING } from './status-meanings.js';

class PreviousErrorSchema implements PreviousError {
  @ApiProperty()
  readonly provider: string;

  /** The provider's own code, else the kind of the failure. */
  @ApiProperty()
  readonly code: string;

  @ApiProperty({ type: 'integer' })
  readonly status: number;
}

class AvailabilitySchema {
  @ApiProperty({ enum: Object.keys(IS_RETRYABLE) })
  readonly code: string;

  /** Whether the same request may succeed later. */
  @ApiProperty()
  readonly retryable: boolean;
}

export class TypedErrorMetadata {
  @ApiProperty({ enum: ERROR_TYPES })
  readonly error_type: ErrorType;

  @ApiPropertyOptional()
  readonly provider_name?: string;

  /** The provider's own code for its failure. */
  @ApiPropertyOptional()
  readonly provider_code?: string;

  /** The failures of the attempts before the last one. */
  @ApiPropertyOptional({ type: [PreviousErrorSchema] })
  readonly previous_errors?: readonly PreviousErrorSchema[];

  /** 402: what does not cover the most that the request can cost. */
  @ApiPropertyOptional({ enum: ['credits', 'key_limit'] })
  readonly limit_source?: string;

  /** 402: the output tokens that had to be covered. */
  @ApiPropertyOptional({ type: 'integer' })
  readonly requested_tokens?: number;

  /** 402: the output tokens that are covered, at most those requested. */
  @ApiPropertyOptional({ type: 'integer' })
  readonly affordable_tokens?: number;

  /** 404: why nothing can serve the request. */
  @ApiPropertyOptional({ type: AvailabilitySchema })
  readonly availability?: AvailabilitySchema;
}

class TypedErrorBody {
  /** Mirrors the HTTP status. */
  @ApiProperty({ type: Number })
  readonly code: number;

  /** Human-readable text. */
  @ApiProperty({ type: String })
  readonly message: string;

  @ApiProperty({ type: TypedErrorMetadata })
  readonly metadata: TypedErrorMetadata;
}

/** The error envelope of operations that say the type of each failure. */
export class TypedErrorEnvelope {
  @ApiProperty({ type: TypedErrorBody })
  readonly error: TypedErrorBody;
}

const LIMIT_SOURCE: Record<ExhaustedLimit['limit'], string> = {
  credits: 'credits',
  key_limit: 'key_limit',
  parent_limit: 'key_limit',
};

/** The envelope of a failure with its type. Undefined = a defect of this service. */
export function toTypedEnvelope(error: GatewayError | undefined): { status: number; body: TypedErrorEnvelope } {
  const { status, body } = toEnvelope(error);
  const { code, message } = body.error;
  const facts = error && error.kind !== 'internal' ? error.facts : undefined;
  return {
    status,
    body: { error: { code, message, metadata: { error_type: errorTypeOf(error), ...(facts && membersOf(facts)) } } },
  };
}

function membersOf(facts: ErrorFacts): Omit<TypedErrorMetadata, 'error_type'> {
  const { provider, vendorCode, previous, availability, exhausted, tokens } = facts;
  return {
    ...(provider === undefined ? {} : { provider_name: provider }),
    ...(vendorCode === undefined ? {} : { provider_code: vendorCode }),
    ...(previous === undefined || previous.length === 0 ? {} : { previous_errors: previous }),
    ...(exhausted && { limit_source: LIMIT_SOURCE[exhausted.limit] }),
    ...(tokens && { requested_tokens: tokens.requested, affordable_tokens: tokens.affordable }),
    ...(availability && { availability: { code: availability, retryable: IS_RETRYABLE[availability] } }),
  };
}

/** A call that was attempted has a record, which a header names. */
function headersOf(error: GatewayError | undefined): Readonly<Record<string, string>> {
  const generationId = currentRequest()?.generationId;
  return { ...error?.headers, ...(generationId === undefined ? {} : { 'x-generation-id': generationId }) };
}

/**
 * For routes whose errors carry `metadata.error_type`: sends and documents them so. Takes the place of `@FailsWith`,
 * with the same arguments.
 */
export const ErrorTypes = (...kinds: readonly ErrorKind[]): MethodDecorator & ClassDecorator =>
  errorsIn(toTypedEnvelope, TypedErrorEnvelope, kinds);

/** For routes whose errors have an envelope of their own, documented as `type`: sends and documents them so. */
export function errorsIn(
  envelope: ErrorForm['envelope'],
  type: Type,
  kinds: readonly ErrorKind[],
): MethodDecorator & ClassDecorator {
  return applyDecorators(
    UseFilters(new ErrorEnvelopeFilter({ envelope, headers: headersOf })),
    ...kindsOf(kinds).map((kind) =>
      ApiResponse({
        status: STATUS[kind],
        description: MEANING[kind],
        type,
        example: envelope(new GatewayError(kind, MEANING[kind])).body,
      }),
    ),
  );
}
