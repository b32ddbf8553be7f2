import { ApiProperty } from '@nestjs/swagger';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsAmount } from '../../../http/validation/is-amount.decorator.js';
import { OptionalBoolean } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { MAX_LIMIT_USD, MIN_AMOUNT_USD } from '../../../kernel/money.js';

@RequestExamples({ week: { value: { limit_usd: 50 } } })
@NoAdditionalFields()
export class PutWorkspaceBudgetRequest {
  /** In USD. Must be lower than the limits of longer intervals, and higher than the limits of shorter intervals. */
  @ApiProperty({ type: Number, minimum: MIN_AMOUNT_USD, maximum: MAX_LIMIT_USD, example: 50 })
  @IsAmount()
  limit_usd: number;

  /** Whether spend on own credentials counts, in all intervals of the workspace; absent = unchanged. */
  @OptionalBoolean()
  include_byok_in_budgets?: boolean;
}
