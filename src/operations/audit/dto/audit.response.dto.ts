import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACTORS } from './audit.request.dto.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { CursorListResponse } from '../../../http/reply/data-response.js';

/** A setting that an action changed, with its values as texts. */
export class AuditChange {
  /** The name in the API. For a member of an object: the name of the object, a dot, and the name of the member. */
  @ApiProperty({ example: 'limit' })
  setting: string;

  /**
   * The value before the action, at most 256 characters; null if the setting was not set, or is a secret. The same
   * rules apply to `to`, the value after the action.
   */
  @ApiProperty({ type: String, nullable: true, example: '5' })
  from: string | null;

  @ApiProperty({ type: String, nullable: true, example: '50' })
  to: string | null;

  /** Whether the setting is a secret. Values of secrets are not recorded. */
  @ApiProperty()
  secret: boolean;
}

/** One action on one resource. */
export class AuditEntryRecord {
  /** The number of the entry. */
  @ApiProperty({ example: '4711' })
  entry_id: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ enum: ACTORS })
  actor: string;

  /** The hash of the acting key at the time of the action; null for the operator and the service. */
  @ApiProperty({ type: String, nullable: true })
  api_key_hash: string | null;

  @ApiProperty({ type: String, nullable: true })
  user_id: string | null;

  @ApiProperty({ example: 'create' })
  action: string;

  /** The kind of the resource. */
  @ApiProperty({ example: 'api_key' })
  kind: string;

  /** The id of the resource. */
  @ApiProperty()
  id: string;

  /** The role that a member, a key or an invitation received or was refused; null for other actions. */
  @ApiProperty({ type: String, nullable: true, example: 'developer' })
  role: string | null;

  /**
   * At most 40 settings that the action changed. Recorded for keys, workspaces, budgets, credentials, channels, roles
   * of members and session limits. Null for other kinds of actions, and for entries of earlier versions. Absent unless
   * the request has `with_changes`.
   */
  @ApiPropertyOptional({ type: [AuditChange], nullable: true })
  changes?: AuditChange[] | null;

  /** The address that sent the request; null if no request caused the action. */
  @ApiProperty({ type: String, nullable: true })
  address: string | null;

  @ApiProperty({ type: String, nullable: true })
  request_id: string | null;
}

@ResponseExample({
  data: [
    {
      entry_id: '4711',
      at: '2026-11-22T08:30:00.000Z',
      actor: 'key',
      api_key_hash: 'a3f5c1d2e4b60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
      user_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
      action: 'update',
      kind: 'api_key',
      id: 'f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
      role: null,
      changes: [{ setting: 'limit', from: '5', to: '50', secret: false }],
      address: '192.0.2.7',
      request_id: '019ab0c4-5555-7a61-9d0e-1f2a3b4c5d6e',
    },
  ],
  has_more: false,
  next_cursor: null,
})
export class AuditListResponse extends CursorListResponse(AuditEntryRecord) {}
