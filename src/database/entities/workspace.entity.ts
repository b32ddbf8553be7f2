import { OptionalProps } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { CallLimitSettings } from '../../kernel/call-limit-settings.js';

/** A division of an account, with its own keys, files, credentials and interns. */
@Entity({ tableName: 'workspace' })
export class Workspace {
  /** Properties whose values the database sets. */
  [OptionalProps]?:
    'no' | 'ioLoggingEnabled' | 'broadcastEnabled' | 'dataDiscountLoggingEnabled' | 'ioLoggingSamplingRate';

  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'integer', autoincrement: true, unique: true })
  no: number;

  @Property({ type: 'uuid' })
  @Index()
  accountId: string;

  @Property({ type: 'text' })
  name: string;

  /** Unique among the account's workspaces that are not deleted (partial unique index). */
  @Property({ type: 'text' })
  slug: string;

  @Property({ type: 'text', nullable: true })
  description: string | null;

  /** Every account has exactly one default workspace (partial unique index). */
  @Property({ type: 'boolean' })
  isDefault: boolean;

  /** Whether interns may be created here (otherwise workspace_capability_unavailable). */
  @Property({ type: 'boolean' })
  internsAllowed: boolean;

  @Property({ type: 'text', nullable: true })
  defaultTextModel: string | null;

  @Property({ type: 'text', nullable: true })
  defaultImageModel: string | null;

  @Property({ type: 'text', nullable: true })
  defaultProviderSort: string | null;

  /**
   * The settings from here to `ioLoggingKeyNos` are stored only for clients that read them back, because this service
   * logs no inputs and no outputs.
   */
  @Property({ type: 'boolean' })
  ioLoggingEnabled: boolean = false;

  @Property({ type: 'boolean' })
  broadcastEnabled: boolean = false;

  @Property({ type: 'boolean' })
  dataDiscountLoggingEnabled: boolean = false;

  /** From 0.0001 to 1. */
  @Property({ type: 'double' })
  ioLoggingSamplingRate: number = 1;

  @Property({ type: 'integer[]', columnType: 'int[]', nullable: true })
  ioLoggingKeyNos: number[] | null;

  @Property({ type: 'uuid', nullable: true })
  createdBy: string | null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime', nullable: true })
  updatedAt: Date | null;

  /** Requests treat a deleted workspace as unknown; the row stays, because usage records refer to it. */
  @Property({ type: 'datetime', nullable: true })
  deletedAt: Date | null;

  /** Output tokens to reserve for a text call that sets no limit; null = the service's default. */
  @Property({ type: 'integer', nullable: true })
  defaultMaxOutputTokens: number | null;

  /** Limits of the calls of all keys of the workspace; null = none. */
  @Property({ type: 'json', columnType: 'jsonb', nullable: true })
  callLimits: CallLimitSettings | null;
}
