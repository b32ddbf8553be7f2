import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { ACCESS_TOKEN_TYPE, GRANT_TYPE, SUBJECT_TOKEN_TYPE } from '../token-types.js';

/** A token exchange (RFC 8693). Other parameters are ignored. */
export class OAuthTokenRequest {
  @ApiProperty({ enum: [GRANT_TYPE] })
  @IsString()
  grant_type: string;

  /** A JWT from the issuer of the policy. */
  @ApiProperty()
  @IsString()
  subject_token: string;

  @ApiProperty({ enum: [SUBJECT_TOKEN_TYPE] })
  @IsString()
  subject_token_type: string;

  @ApiProperty({ format: 'uuid' })
  @IsString()
  federation_policy_id: string;

  @ApiPropertyOptional({ enum: [ACCESS_TOKEN_TYPE] })
  @IsOptionalField()
  @IsString()
  requested_token_type?: string;

  @ApiPropertyOptional({ enum: ['inference'] })
  @IsOptionalField()
  @IsString()
  scope?: string;
}
