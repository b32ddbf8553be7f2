import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Role } from '../../kernel/access/permissions.js';

/** The origin of the member's present role. */
export type RoleSource = 'manual' | 'invitation' | 'provider';

/** A user's membership in an account. */
@Entity({ tableName: 'member' })
export class Member {
  /** Properties whose values the database sets. */
  [OptionalProps]?: 'roleSource' | 'deactivatedAt';

  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @Property({ type: 'text' })
  role: Role;

  @Property({ type: 'text', default: 'manual' })
  roleSource: RoleSource;

  /** Set for a deactivated member, whose keys and sessions were ended; null = active. */
  @Property({ type: 'datetime', nullable: true })
  deactivatedAt: Date | null;

  /** Whether this member is admitted to the interns programme. */
  @Property({ type: 'boolean' })
  inInternsProgramme: boolean;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
