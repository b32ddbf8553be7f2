import { applyDecorators, UseFilters, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IS_RETRYABLE,
  type ErrorFacts,
  type ExhaustedLimit,
  type PreviousError,
  type RefusingBudget,
} from '../../kernel/errors/error-facts.js';
import { ERROR_TYPES, errorTypeOf, type ErrorType } from '../../kernel/errors/error-type.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import { nanoToUsd } from '../../kernel/money.js';
import { currentRequest } from '../../kernel/request-scope.js';
import { toEnvelope } from './error-envelope.js';
import { ErrorEnvelopeFilter, type ErrorForm } from './error-envelope.filter.js';
import { failureResponses } from './fails-with.decorator.js';
import { MEANING } from './status-meanings.js';

class PreviousErrorSchema implements PreviousError {
  @ApiProperty()
  readonly provider: string;

  /** The provider's own code, or otherwise the kind of failure. */
  @ApiProperty()
  readonly code: string;

  @ApiProperty({ type: 'integer' })
  readonly status: number;
}

class AvailabilitySchema {
  @ApiProperty({ enum: Object.keys(IS_RETRYABLE) })
  readonly code: string;

  /** Whether a retry of the same request may succeed. */
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

  /** 402: the limit that is too low for the maximum cost of the request. */
  @ApiPropertyOptional({ enum: ['credits', 'key_limit', 'budget'] })
  readonly limit_source?: string;

  /** 402: the maximum number of output tokens, for each choice, that the call could have generated. */
  @ApiPropertyOptional({ type: 'integer' })
  readonly requested_tokens?: number;

  /** 402: how many output tokens, for each choice, the credits or the limit cover; at most requested_tokens. */
  @ApiPropertyOptional({ type: 'integer' })
  readonly affordable_tokens?: number;

  /** 402, 403: the level of the budget that refused the call. */
  @ApiPropertyOptional()
  readonly level?: string;

  /** 402, 403: the interval of the budget. */
  @ApiPropertyOptional({ enum: ['daily', 'weekly', 'monthly', 'lifetime'] })
  readonly interval?: string;

  /** 402, 403: the limit of the budget; absent if the budget includes calls of others. */
  @ApiPropertyOptional({ type: Number })
  readonly limit_usd?: number;

  /** 402, 403: the remaining amount of the budget; absent in the same cases as limit_usd. */
  @ApiPropertyOptional({ type: Number })
  readonly remaining_usd?: number;

  /** 402, 403: the end of the budget's window; null = it never ends. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  readonly resets_at?: string | null;

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

/** The error envelope of operations that report the type of each failure. */
class TypedErrorEnvelope {
  @ApiProperty({ type: TypedErrorBody })
  readonly error: TypedErrorBody;
}

const LIMIT_SOURCE: Record<ExhaustedLimit['limit'], string> = {
  credits: 'credits',
  key_limit: 'key_limit',
  parent_limit: 'key_limit',
  budget: 'budget',
};

/**
 * The envelope of a failure, with the type of the failure. If `error` is undefined, the failure is an internal fault.
 */
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
  const { provider, vendorCode, previous, availability, exhausted, budget, tokens } = facts;
  return {
    ...(provider === undefined ? {} : { provider_name: provider }),
    ...(vendorCode === undefined ? {} : { provider_code: vendorCode }),
    ...(previous === undefined || previous.length === 0 ? {} : { previous_errors: previous }),
    ...(exhausted && { limit_source: LIMIT_SOURCE[exhausted.limit] }),
    ...(budget && budgetMembers(budget)),
    ...(tokens && { requested_tokens: tokens.requested, affordable_tokens: tokens.affordable }),
    ...(availability && { availability: { code: availability, retryable: IS_RETRYABLE[availability] } }),
  };
}

/**
 * The levels of budgets that include only calls of the caller. Callers of inference must not see the limits of other
 * budgets.
 */
const OWN_LEVELS: ReadonlySet<string> = new Set(['user', 'end_user', 'session', 'key']);

function budgetMembers({ level, interval, limit, remaining, resetsAt }: RefusingBudget): Partial<TypedErrorMetadata> {
  return {
    level,
    interval,
    ...(OWN_LEVELS.has(level) && { limit_usd: nanoToUsd(limit), remaining_usd: nanoToUsd(remaining) }),
    resets_at: resetsAt?.toISOString() ?? null,
  };
}

/** The headers of a failure. If the call has a generation id, a header contains it. */
function headersOf(error: GatewayError | undefined): Readonly<Record<string, string>> {
  const generationId = currentRequest()?.generationId;
  return { ...error?.headers, ...(generationId === undefined ? {} : { 'x-generation-id': generationId }) };
}

/**
 * Sends and documents the errors of a route with `metadata.error_type`. Use it instead of `@FailsWith`, with the same
 * arguments.
 */
export const ErrorTypes = (...kinds: readonly ErrorKind[]): MethodDecorator & ClassDecorator =>
  errorsIn(toTypedEnvelope, TypedErrorEnvelope, kinds);

/** Sends the errors of a route in its own `envelope`, and documents them with `type`. `kinds`: as for `@FailsWith`. */
export const errorsIn = (
  envelope: ErrorForm['envelope'],
  type: Type,
  kinds: readonly ErrorKind[],
): MethodDecorator & ClassDecorator =>
  applyDecorators(
    UseFilters(new ErrorEnvelopeFilter({ envelope, headers: headersOf })),
    failureResponses(kinds, (kind) => ({ type, example: envelope(new GatewayError(kind, MEANING[kind])).body })),
  );
