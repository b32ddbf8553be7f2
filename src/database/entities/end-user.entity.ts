import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A customer's own user, registered under the customer's tracking id. */
@Entity({ tableName: 'end_user' })
export class EndUser {
  @PrimaryKey({ type: 'uuid' })
  accountId: string;

  /** Immutable and case-sensitive; the column compares byte by byte. */
  @PrimaryKey({ type: 'text', columnType: 'text collate "C"' })
  trackingId: string;

  @Property({ type: 'boolean' })
  isActive: boolean;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime' })
  updatedAt: Date;
}
