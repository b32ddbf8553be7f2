import { PartialType, PickType, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { CreateKeyRequest } from './create-key.request.dto.js';

/** What changes of a key; absent = stays, null = no limit, no reset. */
@NoAdditionalFields()
export class UpdateKeyRequest extends PartialType(
  PickType(CreateKeyRequest, ['name', 'limit', 'limit_reset', 'include_byok_in_limit'] as const),
  { skipNullProperties: false },
) {
  /** A disabled key is refused; enabling it again brings it back. */
  @ApiPropertyOptional()
  @IsOptionalField()
  @IsBoolean()
  disabled?: boolean;
}
