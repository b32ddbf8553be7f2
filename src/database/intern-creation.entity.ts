import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** An idempotency record of POST /interns: what was asked under a key, as a fingerprint and never as text. */
@Entity({ tableName: 'intern_creation' })
export class InternCreationRecord {
  @PrimaryKey({ type: 'uuid' })
  creatorUserId: string;

  @PrimaryKey({ type: 'uuid' })
  workspaceId: string;

  /** SHA-256 of the key, given or derived. */
  @PrimaryKey({ type: 'character', length: 64 })
  keyHash: string;

  /** SHA-256 of the canonical request. */
  @Property({ type: 'character', length: 64 })
  fingerprint: string;

  /** Chosen when the key is claimed, so that every repetition makes the same intern. */
  @Property({ type: 'uuid' })
  @Index()
  internId: string;

  @Property({ type: 'integer' })
  fence: number;

  @Property({ type: 'datetime' })
  leaseUntil: Date;

  @Property({ type: 'datetime', nullable: true })
  completedAt: Date | null;

  @Property({ type: 'datetime' })
  @Index()
  createdAt: Date;
}
