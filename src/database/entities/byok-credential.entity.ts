import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A caller's own credential for a provider. Only src/secrets opens the sealed bytes. */
@Entity({ tableName: 'byok_credential' })
@Index({ properties: ['workspaceId', 'provider'] })
export class ByokCredential {
  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'uuid' })
  @Index()
  accountId: string;

  /** Null = the credential can be used in every workspace of the account. */
  @Property({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  /** Provider slug of the catalogue. */
  @Property({ type: 'text' })
  provider: string;

  @Property({ type: 'text', nullable: true })
  name: string | null;

  /** Masked rendering of the secret. */
  @Property({ type: 'text' })
  label: string;

  @Property({ type: 'uuid' })
  dataKeyId: string;

  @Property({ type: 'blob' })
  sealed: Buffer;

  @Property({ type: 'boolean' })
  disabled: boolean;

  /** True = the credential is used only after the platform's own credential. */
  @Property({ type: 'boolean' })
  isFallback: boolean;

  /** Credentials with a lower number are used first. */
  @Property({ type: 'integer' })
  sortOrder: number;

  /** Ids of the models for which the credential is used; null = all. */
  @Property({ type: 'array', columnType: 'text[]', nullable: true })
  allowedModels: string[] | null;

  /** Hashes of the keys for which the credential is used; null = all. */
  @Property({ type: 'array', columnType: 'text[]', nullable: true })
  allowedApiKeyHashes: string[] | null;

  /** Ids of the members for which the credential is used; null = all. */
  @Property({ type: 'array', columnType: 'text[]', nullable: true })
  allowedUserIds: string[] | null;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime', nullable: true })
  updatedAt: Date | null;
}
