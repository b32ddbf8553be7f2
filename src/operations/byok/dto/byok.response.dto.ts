import { ApiProperty } from '@nestjs/swagger';

/** BYOK credential record (specification, "BYOK credential record"). The secret itself is never returned. */
export class ByokRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** Empty where it has none. */
  @ApiProperty()
  name: string;

  /** Masked rendering of the credential. */
  @ApiProperty({ example: 'sk-...AbCd' })
  label: string;

  @ApiProperty()
  provider: string;

  @ApiProperty({ format: 'uuid' })
  workspace_id: string;

  @ApiProperty()
  disabled: boolean;

  /** Used only after the platform's own credential. */
  @ApiProperty()
  is_fallback: boolean;

  /** Lower ones are used first. */
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

  /** Always null: zero data retention is a fact of the provider's endpoint here. Published clients expect the member. */
  @ApiProperty({ type: Boolean, nullable: true, enum: [null] })
  declared_zdr: null;

  /** Always false: the platform's credential stays in use. Published clients expect the member. */
  @ApiProperty({ enum: [false] })
  is_byok_only: false;

  /** Always false, as is_byok_only. */
  @ApiProperty({ enum: [false] })
  is_required: false;
}

export class ByokResponse {
  @ApiProperty({ type: ByokRecord })
  data: ByokRecord;
}

export class ByokListResponse {
  /** In the order of use. */
  @ApiProperty({ type: [ByokRecord] })
  data: ByokRecord[];

  /** How many match the filters, on all pages. */
  @ApiProperty({ type: 'integer' })
  total_count: number;
}

export class ByokDeletedResponse {
  @ApiProperty({ enum: [true] })
  deleted: true;
}
