import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsTrackingId } from '../../../http/validation/is-name.decorators.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryFlag, QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

/** The tracking id in the path, decoded. */
export class EndUserPath {
  @ApiProperty({ minLength: 1, maxLength: 256 })
  @IsTrackingId()
  user: string;
}

export class ListEndUsersRequest {
  /** The number of registrations to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  @QueryInteger({ min: 1, max: 100, byDefault: 100 })
  limit?: number;

  /** Only the registration with exactly this tracking id. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 256 })
  @IsOptionalField()
  @IsTrackingId()
  user?: string;

  @QueryFlag()
  include_inactive?: boolean;
}

@RequestExamples({ tracked: { summary: 'An end user by its tracking id', value: { user: 'customer-4711' } } })
@NoAdditionalFields()
export class RegisterEndUserRequest {
  /** The tracking id: immutable, case-sensitive, without control characters. */
  @ApiProperty({ minLength: 1, maxLength: 256 })
  @IsTrackingId()
  user: string;
}

@RequestExamples({ inactive: { summary: 'Deactivate', value: { is_active: false } } })
@NoAdditionalFields()
export class UpdateEndUserRequest {
  @ApiProperty()
  @IsBoolean()
  is_active: boolean;
}
