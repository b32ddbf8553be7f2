import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A set of host-bound secrets under one data key: an intern's own, or its workspace's. */
@Entity({ tableName: 'vault' })
export class Vault {
  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** One vault per workspace that has no intern, held by a partial unique index. */
  @Property({ type: 'uuid' })
  workspaceId: string;

  @Property({ type: 'uuid', nullable: true, unique: true })
  internId: string | null;

  @Property({ type: 'uuid' })
  dataKeyId: string;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
