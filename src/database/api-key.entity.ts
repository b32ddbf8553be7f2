import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { KeyClass } from '../kernel/principal.js';

export type LimitReset = 'daily' | 'weekly' | 'monthly';

/** An API key. Only the SHA-256 of its secret is stored; what it spent lies in the ledger (billing). */
@Entity({ tableName: 'api_key' })
export class ApiKey {
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

  /** Whether spend on the caller's own provider credentials counts against the limit. */
  @Property({ type: 'boolean' })
  includeByokInLimit: boolean;

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

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime', nullable: true })
  updatedAt: Date | null;

  /** A deleted key answers as if it never existed; the row stays so that past usage keeps its name. */
  @Property({ type: 'datetime', nullable: true })
  deletedAt: Date | null;
}
