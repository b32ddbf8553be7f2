import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import { PERMISSIONS, ROLES, type Permission, type Role } from '../../../kernel/access/permissions.js';
import type { KeyClass } from '../../../kernel/principal.js';

const OPENINGS = ['code', 'key', 'oidc'] as const;

class ConsoleSessionUser {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty()
  readonly name: string;

  @ApiProperty({ type: String, nullable: true })
  readonly email: string | null;
}

export class ConsoleSessionData {
  /** How the session was opened. A session opened with a key acts as that key; others act as their user. */
  @ApiProperty({ enum: OPENINGS })
  readonly kind: (typeof OPENINGS)[number];

  /** The class of the session's key for all requests except calls; also `standard` if this key was deleted. */
  @ApiProperty({ enum: ['standard', 'management'] })
  readonly key_class: KeyClass;

  /** The role in the account; null if the class of the key alone decides. */
  @ApiProperty({ enum: ROLES, nullable: true })
  readonly role: Role | null;

  /** The permissions that the session has for at least some rows. The console shows only the pages that they allow. */
  @ApiProperty({ enum: Object.keys(PERMISSIONS), isArray: true })
  readonly permissions: readonly Permission[];

  @ApiProperty({ type: ConsoleSessionUser, nullable: true })
  readonly user: ConsoleSessionUser | null;

  @ApiProperty({ format: 'uuid' })
  readonly account_id: string;

  /**
   * The workspace of the session's calls. Null = the session may make no calls, or the key of its calls was deleted; in
   * the second case, a workspace must be chosen.
   */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  readonly workspace_id: string | null;

  /** The spending limit of the session's calls, in USD; null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  readonly limit: number | null;

  /** The spend of the key of the session's calls, in USD. */
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
export class ConsoleSessionResponse extends DataResponse(ConsoleSessionData) {}

class ConsoleSessionState {
  @ApiProperty()
  readonly has_cookie: boolean;
}

@ResponseExample({ data: { has_cookie: true } })
export class ConsoleSessionStateResponse extends DataResponse(ConsoleSessionState) {}

/** A browser that is signed in. */
export class ListedSessionRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** How it was opened. `code`: by a link or an invitation. */
  @ApiProperty({ enum: OPENINGS })
  kind: (typeof OPENINGS)[number];

  /** Whether it is the session of this request. */
  @ApiProperty()
  is_current: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

@ResponseExample({
  data: [
    {
      id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
      kind: 'code',
      is_current: true,
      created_at: '2026-11-27T09:00:00.000Z',
      expires_at: '2026-11-27T21:00:00.000Z',
    },
  ],
})
export class ConsoleSessionListResponse {
  @ApiProperty({ type: [ListedSessionRecord] })
  data: ListedSessionRecord[];
}

@ResponseExample({ ended_count: 2 })
export class ConsoleSessionsEndedResponse {
  @ApiProperty({ type: 'integer' })
  ended_count: number;
}
