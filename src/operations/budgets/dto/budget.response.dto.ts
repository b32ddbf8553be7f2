import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';
import { RaiseRecord } from '../../../http/reply/raise.response.dto.js';
import { BUDGET_INTERVALS, EACH_MEMBERS } from './budget.request.dto.js';

/** The members of a scope. */
export class BudgetScopeRecord {
  @ApiPropertyOptional({ format: 'uuid' })
  workspace_id?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  user_id?: string;

  @ApiPropertyOptional()
  api_key_hash?: string;

  @ApiPropertyOptional()
  end_user?: string;

  @ApiPropertyOptional()
  session?: string;

  @ApiPropertyOptional()
  tag?: string;

  @ApiPropertyOptional()
  model?: string;

  @ApiPropertyOptional()
  provider?: string;

  @ApiPropertyOptional()
  credential_id?: string;
}

/** A budget with the spend of its current window. */
@ResponseExample({
  id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  name: 'Research',
  scope: { workspace_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e' },
  each: null,
  interval: 'weekly',
  limit_usd: 50,
  effective_limit_usd: 50,
  spent_usd: 12.25,
  byok_spent_usd: 0,
  reserved_usd: 0.03,
  remaining_usd: 37.72,
  resets_at: '2026-11-30T00:00:00.000Z',
  soft: false,
  include_byok: false,
  raise: null,
  created_at: '2026-11-27T08:30:00.000Z',
  updated_at: null,
})
export class BudgetRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ type: BudgetScopeRecord })
  scope: BudgetScopeRecord;

  /** Each value of this member has its own limit; null = there is one limit. */
  @ApiProperty({ enum: EACH_MEMBERS, nullable: true })
  each: (typeof EACH_MEMBERS)[number] | null;

  @ApiProperty({ enum: BUDGET_INTERVALS })
  interval: (typeof BUDGET_INTERVALS)[number];

  @ApiProperty({ type: Number })
  limit_usd: number;

  /** The limit, including a raise. */
  @ApiProperty({ type: Number })
  effective_limit_usd: number;

  /** The spend of credits in the current window, summed over all values of `each`. */
  @ApiProperty({ type: Number })
  spent_usd: number;

  /** The spend on own credentials. */
  @ApiProperty({ type: Number })
  byok_spent_usd: number;

  /** The maximum cost of the open calls. */
  @ApiProperty({ type: Number })
  reserved_usd: number;

  /** 0 if the spend exceeds the limit; null with `each`. */
  @ApiProperty({ type: Number, nullable: true })
  remaining_usd: number | null;

  /** Null = never. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  resets_at: string | null;

  @ApiProperty()
  soft: boolean;

  @ApiProperty()
  include_byok: boolean;

  @ApiProperty({ type: RaiseRecord, nullable: true })
  raise: RaiseRecord | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  updated_at: string | null;
}

export class BudgetResponse extends DataResponse(BudgetRecord) {}

export class BudgetListResponse extends ListResponse(BudgetRecord) {}

/** The spend of a budget in one window. */
@ResponseExample({
  window_start: '2026-11-23',
  window_end: '2026-11-30T00:00:00.000Z',
  spent_usd: 12.25,
  byok_spent_usd: 0,
  reserved_usd: 0.03,
})
export class BudgetBalanceRecord {
  /** The first day of the window; null = the budget never resets. */
  @ApiProperty({ type: String, format: 'date', nullable: true })
  window_start: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  window_end: string | null;

  @ApiProperty({ type: Number })
  spent_usd: number;

  @ApiProperty({ type: Number })
  byok_spent_usd: number;

  @ApiProperty({ type: Number })
  reserved_usd: number;

  /** A value of the member that `each` names. */
  @ApiPropertyOptional()
  value?: string;
}

export class BudgetBalancesResponse extends ListResponse(BudgetBalanceRecord) {}
