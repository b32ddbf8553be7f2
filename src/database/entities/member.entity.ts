import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export type MemberRole = 'owner' | 'member';

/** A user's place in an account. */
@Entity({ tableName: 'member' })
export class Member {
  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @Property({ type: 'text' })
  role: MemberRole;

  /** Whether this member is admitted to the interns programme. */
  @Property({ type: 'boolean' })
  inInternsProgramme: boolean;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
