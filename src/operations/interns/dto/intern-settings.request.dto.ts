import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NullableEnum, NullableNumber } from '../../../http/validation/nullable-member.decorators.js';
import { OptionalEnum } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { MAX_LIMIT_USD } from '../../../kernel/money.js';
import { IsHostName } from '../../../vaults/is-host-name.decorator.js';

export const LIMIT_RESETS = ['daily', 'weekly', 'monthly'] as const;
export const APPROVAL_MODES = ['self-drive', 'manual'] as const;
const MAX_HOSTS = 100;

/** All settings of an intern. An absent member has its default value. */
@RequestExamples({
  'Five dollars a day, one more host': {
    value: { limit: 5, limit_reset: 'daily', allowed_hosts: ['docs.example.com'], approval_mode: 'manual' },
  },
})
@NoAdditionalFields()
export class InternSettingsRequest {
  /**
   * The intern's spending limit in USD, in addition to the limit of the key that created it. Null or absent = no limit.
   */
  @NullableNumber(0, MAX_LIMIT_USD)
  limit?: number | null;

  /** When the limit resets, at midnight UTC; weeks are Monday to Sunday. Null or absent = never. */
  @NullableEnum(LIMIT_RESETS)
  limit_reset?: (typeof LIMIT_RESETS)[number] | null;

  /** Exact host names that the intern may reach, in addition to the hosts of its secrets. Absent = none. */
  @ApiPropertyOptional({ type: [String], maxItems: MAX_HOSTS, example: ['docs.example.com'] })
  @IsOptionalField()
  @IsArray()
  @ArrayMaxSize(MAX_HOSTS)
  @IsHostName({ each: true })
  allowed_hosts?: string[];

  /** The mode of chats without `approval_mode`. `manual`: the agent asks before it acts. */
  @OptionalEnum(APPROVAL_MODES, { byDefault: 'self-drive' })
  approval_mode?: (typeof APPROVAL_MODES)[number];
}
