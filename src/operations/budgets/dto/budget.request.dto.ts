import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, Matches, ValidateNested } from 'class-validator';
import { BALANCE_ORDERS, type BalanceOrder } from '../../../billing/budget.js';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsAmount } from '../../../http/validation/is-amount.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NullableName } from '../../../http/validation/nullable-member.decorators.js';
import { OffsetPageRequest } from '../../../http/validation/offset-page.request.dto.js';
import {
  OptionalBoolean,
  OptionalEnum,
  OptionalStoredText,
  OptionalUuid,
} from '../../../http/validation/optional-member.decorators.js';
import { QueryText } from '../../../http/validation/query-text.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { MAX_LIMIT_USD, MIN_AMOUNT_USD } from '../../../kernel/money.js';

export const BUDGET_INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;
export const EACH_MEMBERS = ['workspace_id', 'user_id', 'api_key_hash', 'end_user', 'session', 'tag', 'model'] as const;

const MAX_NAME_CHARACTERS = 100;
const MAX_VALUE_CHARACTERS = 256;

/** A budget counts the calls that have all of these values. */
@NoAdditionalFields()
export class BudgetScopeRequest {
  @OptionalUuid()
  workspace_id?: string;

  /** A member. Counts the calls of the member's keys and sessions. */
  @OptionalUuid()
  user_id?: string;

  /** A key. Counts its calls, and the calls of the keys of the interns that it created. */
  @ApiPropertyOptional({ pattern: '^[0-9a-f]{64}$' })
  @IsOptionalField()
  @Matches(/^[0-9a-f]{64}$/, { message: 'api_key_hash must be the hash of a key: 64 lowercase hex characters' })
  api_key_hash?: string;

  /** The id of an end user, as calls send it in `user`. */
  @OptionalStoredText({ min: 1, max: MAX_VALUE_CHARACTERS })
  end_user?: string;

  @OptionalStoredText({ min: 1, max: MAX_VALUE_CHARACTERS })
  session?: string;

  @OptionalStoredText({ min: 1, max: 64 })
  tag?: string;

  /** The model that serves the call: any name that calls accept, except an alias. Responses contain the slug. */
  @OptionalStoredText({ min: 1, max: MAX_VALUE_CHARACTERS })
  model?: string;

  /** The provider that serves the call, by its slug in GET /providers or in the published API. */
  @OptionalStoredText({ min: 1, max: MAX_VALUE_CHARACTERS })
  provider?: string;

  /**
   * A platform credential, by its id in GET /providers/credentials. Calls of every account count. Only for the
   * operator's account.
   */
  @OptionalStoredText({ min: 1, max: 100 })
  credential_id?: string;
}

/** The optional members of a new budget, which can also be changed later. */
class BudgetOptions {
  /** A soft budget refuses no calls and only writes events. */
  @OptionalBoolean({ byDefault: false })
  soft?: boolean;

  /**
   * Whether spend on own credentials counts. Default: false. Budgets whose scope is only a workspace share the setting
   * of the workspace: absent = this setting; a value changes the setting for all of these budgets.
   */
  @OptionalBoolean()
  include_byok?: boolean;

  @NullableName(MAX_NAME_CHARACTERS)
  name?: string | null;
}

@RequestExamples({ limit: { value: { limit_usd: 100 } } })
@NoAdditionalFields()
export class UpdateBudgetRequest extends BudgetOptions {
  /** In USD. */
  @ApiPropertyOptional({ type: Number, minimum: MIN_AMOUNT_USD, maximum: MAX_LIMIT_USD })
  @IsOptionalField()
  @IsAmount()
  limit_usd?: number;
}

/** A limit on the spend of the calls of a scope, in one interval. */
@RequestExamples({
  team: {
    summary: '50 USD a week for the calls of a tag',
    value: { scope: { tag: 'research' }, interval: 'weekly', limit_usd: 50 },
  },
  endUsers: {
    summary: 'One dollar a day for each end user',
    value: { each: 'end_user', interval: 'daily', limit_usd: 1, name: 'Free plan' },
  },
})
@NoAdditionalFields()
export class CreateBudgetRequest extends BudgetOptions {
  /** Absent = every call of the account; `each` is then required. */
  @ApiPropertyOptional({ allOf: [{ $ref: getSchemaPath(BudgetScopeRequest) }] })
  @IsOptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => BudgetScopeRequest)
  scope?: BudgetScopeRequest;

  /** Each value of this member has its own limit. */
  @OptionalEnum(EACH_MEMBERS)
  each?: (typeof EACH_MEMBERS)[number];

  /** The window in UTC, which cannot be changed. Weeks start on Monday. */
  @ApiProperty({ enum: BUDGET_INTERVALS })
  @IsIn(BUDGET_INTERVALS)
  interval: (typeof BUDGET_INTERVALS)[number];

  /** In USD. */
  @ApiProperty({ type: Number, minimum: MIN_AMOUNT_USD, maximum: MAX_LIMIT_USD })
  @IsAmount()
  limit_usd: number;

  /**
   * The initial spend. `window`: the spend of the scope in the current window, according to the records of calls; 0 for
   * a scope with a credential, because these records do not contain credentials. `now`: 0.
   */
  @OptionalEnum(['window', 'now'], { byDefault: 'window' })
  count_from?: 'window' | 'now';
}

export class ListBalancesRequest extends OffsetPageRequest {
  /** The order within a window: by the values of `each`, or by the used share of the limit, highest first. */
  @OptionalEnum(BALANCE_ORDERS, { byDefault: 'value' })
  sort?: BalanceOrder;

  /** A day (UTC) of the window; absent = every window that is kept. */
  @QueryText({ example: '2026-11-27', maxLength: 10 })
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'window must be a day, such as 2026-11-27' })
  window?: string;
}
