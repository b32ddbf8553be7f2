import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';

/** A division of an account: keys, files, credentials and interns live in one. */
@Entity({ tableName: 'workspace' })
@Unique({ properties: ['accountId', 'slug'] })
export class Workspace {
  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'uuid' })
  @Index()
  accountId: string;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text' })
  slug: string;

  @Property({ type: 'text', nullable: true })
  description: string | null;

  /** Every account has exactly one default workspace, held by a partial unique index. */
  @Property({ type: 'boolean' })
  isDefault: boolean;

  /** Whether interns may be created here (workspace_capability_unavailable where not). */
  @Property({ type: 'boolean' })
  internsAllowed: boolean;

  @Property({ type: 'uuid', nullable: true })
  createdBy: string | null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime', nullable: true })
  updatedAt: Date | null;
}
