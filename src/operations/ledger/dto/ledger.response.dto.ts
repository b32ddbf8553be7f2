import { ApiProperty } from '@nestjs/swagger';
import { LEDGER_KINDS } from '../../../billing/ledger-entries.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { CursorListResponse } from '../../../http/reply/data-response.js';

export class LedgerEntryRecord {
  @ApiProperty({ example: '4711' })
  id: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ enum: LEDGER_KINDS })
  kind: string;

  /** USD; negative for spend and for corrections that remove credits. */
  @ApiProperty()
  amount: number;

  /** Set for a grant, a refund or a correction. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  /** The idempotency id of the change of credits. */
  @ApiProperty({ type: String, nullable: true })
  idempotency_id: string | null;

  /** Set for a call. */
  @ApiProperty({ type: String, nullable: true })
  generation_id: string | null;

  /** The key that made the call. */
  @ApiProperty({ type: String, nullable: true })
  api_key_hash: string | null;
}

@ResponseExample({
  data: [
    {
      id: '4711',
      created_at: '2026-11-22T08:30:00.000Z',
      kind: 'generation',
      amount: -0.000105,
      reason: null,
      idempotency_id: null,
      generation_id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
      api_key_hash: 'f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
    },
  ],
  has_more: false,
  next_cursor: null,
  balance: 74.75,
  as_of: '2026-11-22T08:30:02.000Z',
})
export class LedgerResponse extends CursorListResponse(LedgerEntryRecord) {
  /** The remaining credits at `as_of`, in USD: the sum of all entries. */
  @ApiProperty()
  balance: number;

  @ApiProperty({ format: 'date-time' })
  as_of: string;
}
