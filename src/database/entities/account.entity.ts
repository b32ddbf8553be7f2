import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The paying customer. Owns workspaces, keys, credits and end users. */
@Entity({ tableName: 'account' })
export class Account {
  /** Properties whose values the database sets. */
  [OptionalProps]?: 'no' | 'isOperator';

  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** Compact number that ledger and usage rows use for the account. */
  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'text' })
  name: string;

  /** Whether the first start created the account. That account manages what all accounts share. */
  @Property({ type: 'boolean', default: false })
  isOperator: boolean;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
