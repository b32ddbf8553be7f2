import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { INTERN_STATUSES } from '../../../interns/lifecycle.js';
import { toWire } from '../../../kernel/dialect.js';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { INTERN_EXAMPLE } from './intern.response.examples.js';

/** The statuses of both dialects. */
const STATUSES = [...new Set(INTERN_STATUSES.flatMap((status) => [status, toWire(status, 'openrouter')]))];

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

  /** The active provisioning step; null when provisioning has ended. */
  @ApiProperty({ oneOf: [{ $ref: getSchemaPath(InternProgress) }, { type: 'null' }] })
  progress: InternProgress | null;

  /** Null until provisioning assigns one. */
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

@ResponseExample({ data: [INTERN_EXAMPLE], has_more: false })
export class InternListResponse {
  @ApiProperty({ type: [InternResponse] })
  data: InternResponse[];

  @ApiProperty({ type: Boolean })
  has_more: boolean;

  /** The value for `starting_after`; set if there are more entries. */
  @ApiPropertyOptional({ type: String })
  next_cursor?: string;
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
