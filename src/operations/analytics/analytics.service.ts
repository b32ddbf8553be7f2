import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import { providerOf } from '../../catalogue/names/published-names.js';
import { withRowsOf } from '../../kernel/access/reach.js';
import type { Principal } from '../../kernel/principal.js';
import { Analytics } from '../../usage/analytics.js';
import type { AnalyticsResult } from '../../usage/analytics-query.js';
import type { AnalyticsQueryRequest } from './dto/analytics-query.request.dto.js';

export interface TimedResult {
  readonly result: AnalyticsResult;
  readonly tookMs: number;
}

/** Fields of the published API that have no effect in this service. */
const WITHOUT_EFFECT = ['classifier_dimensions', 'classifier_filters'] as const;

type Filter = NonNullable<AnalyticsQueryRequest['filters']>[number];

/** Implements the operations of this API group. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly analytics: Analytics,
    private readonly catalogue: Catalogue,
  ) {}

  async query(request: AnalyticsQueryRequest, caller: Principal, signal: AbortSignal): Promise<TimedResult> {
    const start = performance.now();
    const filters = (request.filters ?? []).map((filter) => this.#inOurNames(filter));
    const result = await this.analytics.query(
      { ...request, filters: [...filters, ...withinReach(request, caller)] },
      { id: caller.accountId, no: caller.accountNo },
      signal,
    );
    const ignored = WITHOUT_EFFECT.filter((field) => request[field] !== undefined).map(
      (field) => `${field} has no effect here and was ignored`,
    );
    return { result: { ...result, warnings: [...ignored, ...result.warnings] }, tookMs: performance.now() - start };
  }

  /** Replaces names of the published API with the names that records contain. */
  #inOurNames(filter: Filter): Filter {
    const { field, value } = filter;
    if (field !== 'model' && field !== 'provider') return filter;
    const { snapshot } = this.catalogue;
    const ours = <T>(name: T): T | string => {
      if (typeof name !== 'string') return name;
      return field === 'model' ? (snapshot.idOf(name) ?? name) : snapshot.provider(name) ? name : providerOf(name);
    };
    return { ...filter, value: Array.isArray(value) ? value.map(ours) : ours(value) };
  }
}

/** Dimensions that identify a person, a key or a single call. */
const NAMES_PEOPLE: ReadonlySet<string> = new Set(['user', 'api_key_id', 'external_user', 'generation_id']);

/**
 * The filters for a caller who may not read the whole account. They select the calls of the caller's workspaces. If the
 * query has a dimension or a filter of NAMES_PEOPLE, they select only the calls of the workspaces that the caller
 * administers. A caller who administers none gets only the caller's own calls.
 */
function withinReach({ dimensions = [], filters = [] }: AnalyticsQueryRequest, caller: Principal): Filter[] {
  if (!caller.only) return [];
  const fields = [...dimensions, ...filters.map(({ field }) => field)];
  const { only } = withRowsOf(caller, fields.some((field) => NAMES_PEOPLE.has(field)) ? 'usage.calls' : 'usage.sums');
  if (!only) return [];
  const within = (field: string, value: string[]): Filter => ({ field, operator: 'in', value });
  if (only.userId !== null && only.workspaces.length === 0) return [within('user', [only.userId])];
  const workspaceIds = only.workspaces.map(({ workspaceId }) => workspaceId);
  return [within('workspace', workspaceIds)];
}
