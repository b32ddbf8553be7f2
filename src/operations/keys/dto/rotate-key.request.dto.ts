import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

const MAX_GRACE_S = 604_800;

@NoAdditionalFields()
export class RotateKeyRequest {
  /**
   * How long the former secrets of the key stay valid, up to 7 days. 0: all former secrets end now, including secrets
   * that earlier rotations replaced.
   */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_GRACE_S, default: 0 })
  @IsOptionalField()
  @IsInt()
  @Min(0)
  @Max(MAX_GRACE_S)
  grace_seconds?: number;
}
