import { PartialType, PickType, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { CreateKeyRequest } from './create-key.request.dto.js';

/** The changes of a key. Absent = unchanged; null = no limit, no reset. */
@NoAdditionalFields()
export class UpdateKeyRequest extends PartialType(
  PickType(CreateKeyRequest, ['name', 'limit', 'limit_reset', 'include_byok_in_limit'] as const),
  { skipNullProperties: false },
) {
  /** Requests with a disabled key are refused until it is enabled again. */
  @ApiPropertyOptional()
  @IsOptionalField()
  @IsBoolean()
  disabled?: boolean;
}
