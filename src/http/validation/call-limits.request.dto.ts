import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import type { CallLimitChanges, CallLimits } from '../../kernel/call-limit-settings.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { NullableInteger } from './nullable-member.decorators.js';
import { NoAdditionalFields } from './request-validation.pipe.js';

export const MAX_REQUESTS_PER_MINUTE = 1_000_000;
const MAX_TOKENS_PER_MINUTE = 1_000_000_000;
const MAX_CONCURRENT_CALLS = 100_000;
const MAX_LIMITED_MODELS = 100;
const MAX_ECHO_CHARACTERS = 100;

/** Limits of calls; absent or null = none. */
@NoAdditionalFields()
export class CallLimitsRequest {
  @NullableInteger(1, MAX_REQUESTS_PER_MINUTE)
  requests_per_minute?: number | null;

  @NullableInteger(1, MAX_TOKENS_PER_MINUTE)
  tokens_per_minute?: number | null;

  @NullableInteger(1, MAX_CONCURRENT_CALLS)
  max_concurrent?: number | null;
}

/** A member with limits by model id. `readModelLimits` checks the values. */
const LimitsByModel = (): PropertyDecorator =>
  applyDecorators(
    IsObject(),
    IsOptional(),
    ApiPropertyOptional({
      type: 'object',
      additionalProperties: { $ref: getSchemaPath(CallLimitsRequest) },
      maxProperties: MAX_LIMITED_MODELS,
      nullable: true,
    }),
  );

/** The limit settings that keys and workspaces share. Absent = unchanged, null = no limit. */
@ApiExtraModels(CallLimitsRequest)
export class CallLimitSettingsRequest {
  /** The maximum number of prompt and response tokens per minute. Further calls return 429. */
  @NullableInteger(1, MAX_TOKENS_PER_MINUTE)
  tokens_per_minute?: number | null;

  /** The maximum number of concurrent calls. Further calls return 429. */
  @NullableInteger(1, MAX_CONCURRENT_CALLS)
  max_concurrent?: number | null;

  /** Limits of the calls of single models, by model id. They replace the previous limits. */
  @LimitsByModel()
  models?: Record<string, CallLimitsRequest> | null;

  /** Limits of each end user separately, identified by `user` of the calls. They replace the previous limits. */
  @ApiPropertyOptional({ type: CallLimitsRequest, nullable: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => CallLimitsRequest)
  each_end_user?: CallLimitsRequest | null;
}

/**
 * Converts a request to the changes that it makes. `idOf` finds the id of a model by its name, and returns undefined
 * for unknown names. Throws a 400.
 */
export const toCallLimitChanges = (
  { tokens_per_minute, max_concurrent, models, each_end_user }: CallLimitSettingsRequest,
  idOf: (name: string) => string | undefined,
): CallLimitChanges => ({
  tokensPerMinute: tokens_per_minute,
  maxConcurrent: max_concurrent,
  models: models && (readModelLimits(models, idOf) ?? null),
  eachEndUser: each_end_user && (toCallLimits(each_end_user) ?? null),
});

/** Undefined if the request sets no limit. */
function toCallLimits(request: CallLimitsRequest): CallLimits | undefined {
  const named = {
    requestsPerMinute: request.requests_per_minute ?? undefined,
    tokensPerMinute: request.tokens_per_minute ?? undefined,
    maxConcurrent: request.max_concurrent ?? undefined,
  };
  const limits = Object.entries(named).filter(([, value]) => value !== undefined);
  return limits.length > 0 ? Object.fromEntries(limits) : undefined;
}

/** The maximum values, by member of a CallLimitsRequest. */
const MAX_LIMITS = {
  requests_per_minute: MAX_REQUESTS_PER_MINUTE,
  tokens_per_minute: MAX_TOKENS_PER_MINUTE,
  max_concurrent: MAX_CONCURRENT_CALLS,
} as const;

/** Undefined if no limit is set. */
function readModelLimits(
  models: Readonly<Record<string, unknown>>,
  idOf: (name: string) => string | undefined,
): Record<string, CallLimits> | undefined {
  const names = Object.keys(models);
  if (names.length > MAX_LIMITED_MODELS) throw invalidRequest(`models must name at most ${MAX_LIMITED_MODELS} models`);
  const entries: [string, CallLimits][] = [];
  const namesOf = new Map<string, string>();
  for (const name of names) {
    const shown = name.slice(0, MAX_ECHO_CHARACTERS);
    const id = idOf(name);
    if (id === undefined)
      throw invalidRequest(`models: "${shown}" is not the name of a model. GET /models lists the models.`);
    const other = namesOf.get(id);
    if (other !== undefined)
      throw invalidRequest(`models: "${other}" and "${shown}" are names of the same model: send only one of them`);
    namesOf.set(id, shown);
    const limits = toCallLimits(readLimits(models[name], `models["${shown}"]`));
    if (limits) entries.push([id, limits]);
  }
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function readLimits(value: unknown, path: string): CallLimitsRequest {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest(`${path} must be an object`);
  for (const [name, limit] of Object.entries(value as Record<string, unknown>)) {
    if (!Object.hasOwn(MAX_LIMITS, name))
      throw invalidRequest(`${path}.${name.slice(0, MAX_ECHO_CHARACTERS)} is unknown`);
    const max = MAX_LIMITS[name as keyof typeof MAX_LIMITS];
    const isLimit = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= max;
    if (limit !== null && !isLimit) throw invalidRequest(`${path}.${name} must be a whole number from 1 to ${max}`);
  }
  return value;
}
