import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A file that was uploaded to a workspace: written after its bytes are durable, deleted before they are. */
@Entity({ tableName: 'file' })
@Index({ properties: ['workspaceId', 'id'] })
export class StoredFile {
  /** Made when the row is, so that ids follow the order in which files became visible. */
  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'uuid' })
  accountId: string;

  @Property({ type: 'uuid' })
  workspaceId: string;

  /** Names the bytes in the object store; made when they began to arrive. */
  @Property({ type: 'uuid', unique: true })
  objectId: string;

  /** Any text, and never part of a path. */
  @Property({ type: 'text' })
  filename: string;

  /** As read from the contents. */
  @Property({ type: 'text' })
  mimeType: string;

  @Property({ type: 'integer' })
  sizeBytes: number;

  /** 64 lowercase hex characters. */
  @Property({ type: 'character', length: 64, columnType: 'character(64)' })
  sha256: string;

  /** False for uploads: only what the service itself made may be downloaded. */
  @Property({ type: 'boolean' })
  downloadable: boolean;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
