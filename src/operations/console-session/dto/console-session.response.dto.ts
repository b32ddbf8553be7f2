import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { PERMISSIONS, ROLES, type Permission, type Role } from '../../../kernel/access/permissions.js';
import type { KeyClass } from '../../../kernel/principal.js';

class ConsoleSessionUser {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty()
  readonly name: string;

  @ApiProperty({ type: String, nullable: true })
  readonly email: string | null;
}

export class ConsoleSessionData {
  /** How the session was opened. Opened with a key, it acts as that key; otherwise as its user. */
  @ApiProperty({ enum: ['code', 'key', 'oidc'] })
  readonly kind: 'code' | 'key' | 'oidc';

  /** The class of the session's key for everything but its calls: `standard` where it lacks the management right. */
  @ApiProperty({ enum: ['standard', 'management'] })
  readonly key_class: KeyClass;

  /** The role in the account; null where the class of the key decides alone. */
  @ApiProperty({ enum: ROLES, nullable: true })
  readonly role: Role | null;

  /** What the session may do, at least for some rows: the console shows nothing else. */
  @ApiProperty({ enum: Object.keys(PERMISSIONS), isArray: true })
  readonly permissions: readonly Permission[];

  @ApiProperty({ type: ConsoleSessionUser, nullable: true })
  readonly user: ConsoleSessionUser | null;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  /** Where calls are made; null = the key of the calls was deleted, and a workspace is to be chosen. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  readonly workspace_id: string | null;

  /** What the session's calls may cost, in USD; null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  readonly limit: number | null;

  /** What the key of the calls has spent, in USD. */
  @ApiProperty()
  readonly spent: number;

  @ApiProperty({ format: 'date-time' })
  readonly expires_at: string;
}

@ResponseExample({
  data: {
    kind: 'code',
    key_class: 'management',
    role: 'viewer',
    permissions: ['catalogue.read', 'keys.read', 'usage.sums', 'members.read', 'workspaces.read', 'session'],
    user: { id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e', name: 'Owner', email: null },
    account_id: '019ab0c4-3333-7a61-9d0e-1f2a3b4c5d6e',
    workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
    limit: 5,
    spent: 0.25,
    expires_at: '2026-11-22T20:30:00.000Z',
  },
})
export class ConsoleSessionResponse {
  @ApiProperty({ type: ConsoleSessionData })
  readonly data: ConsoleSessionData;
}

class ConsoleSessionState {
  @ApiProperty()
  readonly has_cookie: boolean;
}

@ResponseExample({ data: { has_cookie: true } })
export class ConsoleSessionStateResponse {
  @ApiProperty({ type: ConsoleSessionState })
  readonly data: ConsoleSessionState;
}
