import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A sealed secret and the hosts it may be released to. */
@Entity({ tableName: 'vault_secret' })
export class VaultSecret {
  @PrimaryKey({ type: 'uuid' })
  vaultId: string;

  @PrimaryKey({ type: 'text' })
  name: string;

  /** Exact DNS names, lower case, without a dot at the end. */
  @Property({ type: 'text[]' })
  hosts: string[];

  @Property({ type: 'blob' })
  sealed: Buffer;

  @Property({ type: 'text' })
  fingerprint: string;

  @Property({ type: 'datetime' })
  createdAt: Date;

  @Property({ type: 'datetime' })
  updatedAt: Date;
}
