import { Check, Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The certificate authority of this installation's egress proxy; one row. Its key is sealed. */
@Entity({ tableName: 'egress_authority' })
@Check({ name: 'egress_authority_one', expression: 'id = 1' })
export class EgressAuthority {
  /** Always 1. */
  @PrimaryKey({ type: 'smallint', autoincrement: false })
  id: number;

  /** PEM. */
  @Property({ type: 'text' })
  certificate: string;

  @Property({ type: 'uuid' })
  dataKeyId: string;

  @Property({ type: 'blob' })
  sealedKey: Buffer;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
