import { ApiProperty } from '@nestjs/swagger';
import { nanoToUsd, type Raise } from '../../kernel/money.js';

/** A temporary addition to the limit. */
export class RaiseRecord {
  @ApiProperty({ type: Number })
  amount_usd: number;

  @ApiProperty({ format: 'date-time' })
  until: string;
}

export const toRaiseRecord = ({ amount, until }: Raise): RaiseRecord => ({
  amount_usd: nanoToUsd(amount),
  until: until.toISOString(),
});
