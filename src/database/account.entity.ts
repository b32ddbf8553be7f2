import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** Who pays: owns workspaces, keys, credits and end users. */
@Entity({ tableName: 'account' })
export class Account {
  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** Compact number under which ledger and usage rows know the account. */
  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
