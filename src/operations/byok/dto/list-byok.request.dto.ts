import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, IsUUID } from 'class-validator';
import { documentedProviders } from '../../../catalogue/published-providers.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

/** Which credentials to list (specification, "GET /byok"). */
export class ListByokRequest {
  /** Credentials to skip. */
  @QueryInteger({ min: 0, byDefault: 0, nullable: true })
  offset?: number;

  @QueryInteger({ min: 1, max: 100, byDefault: 50 })
  limit?: number;

  /**
   * The credentials that serve this workspace. Keys that reach the whole account see those of all workspaces too.
   * Default: the workspace of a standard key; for a management key the default workspace of its account.
   */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID()
  workspace_id?: string;

  /** A provider slug of the catalogue or of the published API; one without a provider here lists nothing. */
  @ApiPropertyOptional({ type: String, enum: documentedProviders })
  @IsOptionalField()
  @IsString()
  provider?: string;
}
