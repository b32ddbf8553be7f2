import { OptionalProps } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Role } from '../../kernel/access/permissions.js';
import type { CallLimitSettings } from '../../kernel/call-limit-settings.js';
import type { KeyClass } from '../../kernel/principal.js';

export type LimitReset = 'daily' | 'weekly' | 'monthly';

/** An API key. Only the SHA-256 of its secret is stored; its spend is in the ledger (billing). */
@Entity({ tableName: 'api_key' })
export class ApiKey {
  /** Properties whose values the database sets. */
  [OptionalProps]?: 'no' | 'raiseNano' | 'raiseUntil';

  /** SHA-256 of the whole secret, 64 lowercase hex characters. */
  @PrimaryKey({ type: 'character', length: 64 })
  hash: string;

  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'uuid' })
  @Index()
  accountId: string;

  @Property({ type: 'uuid' })
  @Index()
  workspaceId: string;

  @Property({ type: 'text' })
  keyClass: KeyClass;

  @Property({ type: 'text' })
  name: string;

  /** Masked rendering of the secret. */
  @Property({ type: 'text' })
  label: string;

  @Property({ type: 'boolean' })
  disabled: boolean;

  /** Spending limit in nano-dollars; null = unlimited. */
  @Property({ type: 'bigint', nullable: true })
  limitNano: bigint | null;

  @Property({ type: 'text', nullable: true })
  limitReset: LimitReset | null;

  /** Added to the limit until `raiseUntil`, in nano-dollars. */
  @Property({ type: 'bigint', defaultRaw: '0' })
  raiseNano: bigint;

  @Property({ type: 'datetime', nullable: true })
  raiseUntil: Date | null;

  /** Whether spend on the caller's own provider credentials counts against the limit. */
  @Property({ type: 'boolean' })
  includeByokInLimit: boolean;

  /** How long responses to this key are cached, in seconds; null = only if a request asks for it. */
  @Property({ type: 'integer', nullable: true, fieldName: 'response_cache_ttl_s' })
  responseCacheTtlS: number | null;

  /** Ids of models and `author/*`; null = every model. */
  @Property({ type: 'array', columnType: 'text[]', nullable: true })
  allowedModels: string[] | null;

  /** Null = only the limits of the service. */
  @Property({ type: 'integer', nullable: true })
  requestsPerMinute: number | null;

  /** Limits of the key's calls in addition to `requestsPerMinute`; null = none. */
  @Property({ type: 'json', columnType: 'jsonb', nullable: true })
  callLimits: CallLimitSettings | null;

  /** Maximum spend of one session, in nano-dollars; null = unlimited. */
  @Property({ type: 'bigint', nullable: true })
  sessionLimitNano: bigint | null;

  /** Whether the headers of END_USER_HEADERS name the end user of a call. */
  @Property({ type: 'boolean', default: false })
  trustEndUserHeaders: boolean;

  /** Whether exported events contain the texts of calls. */
  @Property({ type: 'boolean', default: false })
  exportContent: boolean;

  /** On a management key: the role that it acts with; null = only the class of the key decides. */
  @Property({ type: 'text', nullable: true })
  role: Role | null;

  @Property({ type: 'datetime', nullable: true })
  expiresAt: Date | null;

  @Property({ type: 'uuid', nullable: true })
  creatorUserId: string | null;

  @Property({ type: 'text', nullable: true })
  externalUser: string | null;

  /** Set on an intern's own key. */
  @Property({ type: 'uuid', nullable: true })
  @Index()
  internId: string | null;

  /** On an intern's own key: the key that created the intern, whose limit covers the intern's calls too. */
  @Property({ type: 'integer', nullable: true })
  @Index()
  parentNo: number | null;

  /** Set on a key that was created for a session of the console. */
  @Property({ type: 'uuid', nullable: true })
  consoleSessionId: string | null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime', nullable: true })
  updatedAt: Date | null;

  /** Requests treat a deleted key as unknown; the row stays, because usage records refer to it. */
  @Property({ type: 'datetime', nullable: true })
  deletedAt: Date | null;
}
