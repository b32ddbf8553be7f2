import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

const RESETS = ['daily', 'weekly', 'monthly'] as const;

/** A budget of a workspace. */
@ResponseExample({
  id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  workspace_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
  limit_usd: 50,
  reset_interval: 'weekly',
  created_at: '2026-11-27T08:30:00.000Z',
  updated_at: '2026-11-27T08:30:00.000Z',
})
export class WorkspaceBudgetRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  workspace_id: string;

  @ApiProperty({ type: Number })
  limit_usd: number;

  /** Null = the budget never resets. */
  @ApiProperty({ enum: RESETS, nullable: true })
  reset_interval: (typeof RESETS)[number] | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** Equal to created_at until the first change. */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

export class WorkspaceBudgetResponse extends DataResponse(WorkspaceBudgetRecord) {}

export class WorkspaceBudgetSetResponse extends WorkspaceBudgetResponse {
  /** Whether spend on own credentials counts. */
  @ApiProperty()
  include_byok_in_budgets: boolean;
}

export class WorkspaceBudgetListResponse {
  @ApiProperty({ type: [WorkspaceBudgetRecord] })
  data: WorkspaceBudgetRecord[];

  /** Whether spend on own credentials counts. */
  @ApiProperty()
  include_byok_in_budgets: boolean;
}
