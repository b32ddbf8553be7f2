import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A person; a Member row connects a user to an account. */
@Entity({ tableName: 'app_user' })
export class User {
  /** Properties whose values the database sets. */
  [OptionalProps]?: 'no';

  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text', nullable: true, unique: true })
  email: string | null;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
