import type { PlannedFilter } from './analytics-query.js';
import { DIMENSIONS } from './analytics-vocabulary.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { isUuid } from '../kernel/ids.js';
import { timeRangeOf } from './time-range.js';

/** The kinds of calls, as the dimension `modality` names them. */
export const CALL_KINDS = DIMENSIONS.modality.values;
export type CallKind = (typeof CALL_KINDS)[number];

/** Selects the calls to list. An absent member matches every call. */
export interface CallListRequest {
  /** The numbers of keys; an empty list matches no call. */
  readonly keyNos?: readonly number[];
  readonly workspaceNo?: number;
  readonly model?: string;
  readonly provider?: string;
  readonly externalUser?: string;
  readonly sessionId?: string;
  readonly kind?: CallKind;
  readonly status?: number;
  /** Whether the call failed. */
  readonly isError?: boolean;
  /** Inclusive, ISO 8601. */
  readonly start?: string;
  /** Exclusive, ISO 8601. */
  readonly end?: string;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string;
  readonly limit: number;
}

/** The position of a call in lists, which are ordered by time and then by id, both descending. */
export interface CallPlace {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

/** A checked request for one account. Only the filter values and the session id are texts from the caller. */
export interface CallListPlan {
  readonly accountNo: number;
  readonly keyNos: readonly number[] | null;
  readonly workspaceNo: number | null;
  readonly sessionId: string | null;
  readonly filters: readonly PlannedFilter[];
  readonly from: number | null;
  readonly to: number | null;
  readonly before: CallPlace | null;
  readonly limit: number;
}

/** One call of a list. Money in nano-dollars as text, times in milliseconds. */
export interface ListedCall {
  readonly id: string;
  readonly at: number;
  readonly cost: string;
  readonly upstream_cost: string;
  readonly key_no: number;
  readonly workspace_no: number;
  readonly model: string | null;
  readonly provider: string | null;
  readonly external_user: string | null;
  readonly finish_reason: string | null;
  readonly tokens_prompt: number;
  readonly tokens_completion: number;
  readonly tokens_reasoning: number;
  readonly tokens_cached: number;
  readonly characters: number;
  readonly images: number;
  readonly latency_ms: number;
  readonly duration_ms: number;
  readonly status: number;
  /** Index in CALL_KINDS. */
  readonly kind: number;
  readonly is_byok: boolean;
}

/** The calls that a store returns for a plan. If there are more, `rows` has one row more than the limit. */
export interface StoredCalls {
  readonly rows: readonly ListedCall[];
  /** The time up to which the list is complete, in milliseconds since 1970. */
  readonly asOf: number;
}

const FIRST_ERROR_STATUS = 400;

/** Checks a request. Throws invalid_request, which names the mistake. */
export function callListPlanOf(request: CallListRequest, accountNo: number): CallListPlan {
  const { kind, status, isError } = request;
  const filters: readonly (PlannedFilter | undefined)[] = [
    equals('model', request.model),
    equals('provider', request.provider),
    equals('external_user', request.externalUser),
    equals('modality', kind && CALL_KINDS.indexOf(kind)),
    equals('status', status),
    isError === undefined ? undefined : { ...ERRORS, operator: isError ? 'gte' : 'lt' },
  ];
  return {
    accountNo,
    keyNos: request.keyNos ?? null,
    workspaceNo: request.workspaceNo ?? null,
    sessionId: request.sessionId ?? null,
    filters: filters.filter((filter) => filter !== undefined),
    ...timeRangeOf(request),
    before: request.cursor === undefined ? null : placeOfCursor(request.cursor),
    limit: request.limit,
  };
}

const ERRORS = { field: 'status', values: [FIRST_ERROR_STATUS], includeUnset: false } as const;

/** Uses the operator `in` for closed lists, because stores evaluate it as a bit test. */
const equals = (field: PlannedFilter['field'], value: string | number | undefined): PlannedFilter | undefined =>
  value === undefined
    ? undefined
    : { field, operator: field === 'modality' ? 'in' : 'eq', values: [value], includeUnset: false };

export const cursorOf = ({ at, id }: CallPlace): string => Buffer.from(`${at}.${id}`).toString('base64url');

function placeOfCursor(cursor: string): CallPlace {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.', 2);
  if (!/^\d{1,15}$/.test(at) || !isUuid(id)) throw invalidRequest('cursor must be the next_cursor of another page');
  return { at: Number(at), id };
}
