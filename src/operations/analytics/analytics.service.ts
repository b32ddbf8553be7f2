import { Injectable } from '@nestjs/common';
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

/** The operations of the group. */
@Injectable()
export class AnalyticsService {
  constructor(private readonly analytics: Analytics) {}

  async query(request: AnalyticsQueryRequest, caller: Principal, signal: AbortSignal): Promise<TimedResult> {
    const start = performance.now();
    const result = await this.analytics.query(request, { id: caller.accountId, no: caller.accountNo }, signal);
    const ignored = WITHOUT_EFFECT.filter((field) => request[field] !== undefined).map(
      (field) => `${field} has no effect here and was ignored`,
    );
    return { result: { ...result, warnings: [...ignored, ...result.warnings] }, tookMs: performance.now() - start };
  }
}
