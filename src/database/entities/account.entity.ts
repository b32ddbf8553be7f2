import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The paying customer. Owns workspaces, keys, credits and end users. */
@Entity({ tableName: 'account' })
export class Account {
  /** The database gives these their values. */
  [OptionalProps]?: 'no' | 'isOperator';

  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** Compact number that ledger and usage rows use for the account. */
  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'text' })
  name: string;

  /** The account that the first start made: it manages what all accounts share. */
  @Property({ type: 'boolean', default: false })
  isOperator: boolean;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
