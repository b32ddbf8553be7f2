import { ApiProperty } from '@nestjs/swagger';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { MAX_LIMIT_USD, MIN_AMOUNT_USD, usdToNano, type Raise } from '../../kernel/money.js';
import { RequestExamples } from '../openapi/request-examples.decorator.js';
import { IsAmount } from './is-amount.decorator.js';
import { NoAdditionalFields } from './request-validation.pipe.js';
import { existingTime, IsUtcTime } from './utc-time.js';

/** A temporary addition to the limit. */
@RequestExamples({ days: { value: { amount_usd: 25, until: '2030-01-31T00:00:00Z' } } })
@NoAdditionalFields()
export class RaiseRequest {
  /** The addition to the limit, in USD. */
  @ApiProperty({ type: Number, minimum: MIN_AMOUNT_USD, maximum: MAX_LIMIT_USD })
  @IsAmount()
  amount_usd: number;

  /** The end of the raise, which must be in the future. */
  @ApiProperty({ format: 'date-time' })
  @IsUtcTime()
  until: string;
}

/** Throws invalid_request if the raise does not end in the future. */
export function raiseIn(request: RaiseRequest, now: Date): Raise {
  const until = existingTime(request.until, 'until');
  if (until <= now) throw invalidRequest('until must be in the future');
  return { amount: usdToNano(request.amount_usd), until };
}
