import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';

/** A long-lived assistant. Its life is written by the interns room only, as plain SQL under the rules of its lifecycle. */
@Entity({ tableName: 'intern' })
@Unique({ properties: ['workspaceId', 'creatorUserId', 'name'] })
@Index({ properties: ['accountId', 'creatorUserId'] })
export class Intern {
  @PrimaryKey({ type: 'uuid' })
  id: string;

  /** Compact number; on a machine whose service is root, the user id of the intern's processes follows from it. */
  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'uuid' })
  accountId: string;

  @Property({ type: 'uuid' })
  workspaceId: string;

  @Property({ type: 'uuid' })
  creatorUserId: string;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text', nullable: true })
  description: string | null;

  @Property({ type: 'text', nullable: true })
  instructions: string | null;

  @Property({ type: 'text', nullable: true })
  model: string | null;

  @Property({ type: 'text' })
  status: string;

  @Property({ type: 'text', nullable: true })
  lastFailureMessage: string | null;

  /** One-based index of the active provisioning step. */
  @Property({ type: 'smallint', nullable: true })
  progressStep: number | null;

  @Property({ type: 'text', nullable: true, unique: true })
  hostname: string | null;

  @Property({ type: 'uuid', nullable: true })
  vaultId: string | null;

  @Property({ type: 'uuid', nullable: true })
  @Index()
  attachedVaultId: string | null;

  /** The caller accepts that the disk may stay behind unremoved. */
  @Property({ type: 'boolean' })
  lossAcknowledged: boolean;

  /** Grows with every change of hands; whoever writes with an older one changes nothing. */
  @Property({ type: 'integer' })
  fence: number;

  /** The replica that holds the lease. */
  @Property({ type: 'uuid', nullable: true })
  worker: string | null;

  @Property({ type: 'datetime', nullable: true })
  leaseUntil: Date | null;

  /** When a worker should look at the row next; null = it is at rest. */
  @Property({ type: 'datetime', nullable: true })
  wakeAt: Date | null;

  /** When the present status must have ended. */
  @Property({ type: 'datetime', nullable: true })
  deadline: Date | null;

  @Property({ type: 'smallint' })
  attempts: number;

  /** The fence under which a runtime was last started; null = none can be there. */
  @Property({ type: 'integer', nullable: true })
  bootedFence: number | null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime' })
  updatedAt: Date;
}
