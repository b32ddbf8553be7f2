import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';

/** BYOK credential record (specification, "BYOK credential record"). The secret itself is never returned. */
@ResponseExample({
  id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  name: 'Production',
  label: 'sk-...AbCd',
  provider: 'north',
  workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  disabled: false,
  is_fallback: false,
  sort_order: 0,
  created_at: '2026-11-22T08:30:00.000Z',
  allowed_api_key_hashes: null,
  allowed_models: null,
  allowed_user_ids: null,
})
@ClosedObject()
export class ByokRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** Empty if the credential has no name. */
  @ApiProperty()
  name: string;

  /** Masked rendering of the credential. */
  @ApiProperty({ example: 'sk-...AbCd' })
  label: string;

  @ApiProperty()
  provider: string;

  /** Null = it serves every workspace of the account. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  workspace_id: string | null;

  @ApiProperty()
  disabled: boolean;

  /** Used only after the platform's own credential. */
  @ApiProperty()
  is_fallback: boolean;

  /** Lower values are used first. */
  @ApiProperty({ type: 'integer' })
  sort_order: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: [String], nullable: true })
  allowed_api_key_hashes: string[] | null;

  @ApiProperty({ type: [String], nullable: true })
  allowed_models: string[] | null;

  @ApiProperty({ type: [String], nullable: true })
  allowed_user_ids: string[] | null;

  /**
   * Only with WIRE_DIALECT=openrouter or in a response to the published SDK. Always null, because zero data retention
   * is a property of the provider's endpoint in this service.
   */
  @ApiPropertyOptional({ type: Boolean, nullable: true, enum: [null] })
  declared_zdr?: null;

  /** Present in the same cases as declared_zdr. Always false, because the platform's credential stays in use. */
  @ApiPropertyOptional({ enum: [false] })
  is_byok_only?: false;

  /** See is_byok_only. */
  @ApiPropertyOptional({ enum: [false] })
  is_required?: false;
}

export class ByokResponse extends DataResponse(ByokRecord) {}

export class ByokListResponse extends ListResponse(ByokRecord, 'In the order of use.') {}
