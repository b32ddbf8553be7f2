import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { INTERN_STATUSES } from '../../../interns/lifecycle.js';
import { toWire } from '../../../kernel/dialect.js';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** The statuses of both dialects. */
const STATUSES = [...new Set(INTERN_STATUSES.flatMap((status) => [status, toWire(status, 'openrouter')]))];

const INTERN_EXAMPLE = {
  id: '019ab0c4-3333-7a61-9d0e-1f2a3b4c5d6e',
  name: 'Researcher',
  description: 'Reads papers and summarises them',
  instructions: 'Answer in plain English.',
  model: 'author/text-model',
  status: 'running',
  last_failure_message: null,
  progress: null,
  hostname: 'researcher.interns.internal',
  workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  vault_id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  attached_vault_id: null,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:01:30.000Z',
};

export class InternProgress {
  /** Human-readable label of the active step. */
  @ApiProperty({ type: String })
  step_label: string;

  /** One-based index of the active step. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  step_number: number;

  @ApiProperty({ type: 'integer', minimum: 1 })
  total_steps: number;
}

/** An intern (specification, "Intern"). All fields are always present. */
@ApiExtraModels(InternProgress)
@ResponseExample(INTERN_EXAMPLE)
@ClosedObject()
export class InternResponse {
  @ApiProperty({ type: String, format: 'uuid' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ type: String, nullable: true })
  instructions: string | null;

  /** Null means the workspace default. */
  @ApiProperty({ type: String, nullable: true })
  model: string | null;

  /** The lifecycle status, as named in WIRE_DIALECT. */
  @ApiProperty({ type: String, enum: STATUSES })
  status: string;

  /** Why the last provisioning attempt failed. Only meaningful if `status` is `failed`. */
  @ApiProperty({ type: String, nullable: true })
  last_failure_message: string | null;

  /** The active provisioning step; null unless the intern is being provisioned. */
  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(InternProgress) }, { type: 'null' }] })
  progress: InternProgress | null;

  /** Null until provisioning assigns a hostname. */
  @ApiProperty({ type: String, nullable: true })
  hostname: string | null;

  @ApiProperty({ type: String, format: 'uuid' })
  workspace_id: string;

  /** The vault that the intern owns; null before it is created. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  vault_id: string | null;

  /** The vault borrowed from another intern; null = none. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  attached_vault_id: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at: string;
}

/** The members of a page, besides its entries. */
export class InternPageResponse {
  @ApiProperty({ type: Boolean })
  has_more: boolean;

  /** The value for `starting_after`; set if there are more entries. */
  @ApiPropertyOptional({ type: String })
  next_cursor?: string;
}

@ResponseExample({ data: [INTERN_EXAMPLE], has_more: false })
export class InternListResponse extends InternPageResponse {
  @ApiProperty({ type: [InternResponse] })
  data: InternResponse[];
}

@ResponseExample({ deleting: true })
export class DeletingResponse {
  @ApiProperty({ type: Boolean, enum: [true] })
  deleting: true;
}

@ResponseExample({ provisioning: true })
export class ProvisioningResponse {
  @ApiProperty({ type: Boolean, enum: [true] })
  provisioning: true;
}

@ResponseExample({ suspended: true })
export class SuspendedResponse {
  @ApiProperty({ type: Boolean, enum: [true] })
  suspended: true;
}
