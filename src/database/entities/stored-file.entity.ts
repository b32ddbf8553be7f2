import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * A file that was uploaded to a workspace. The row is written after the bytes are durable, and deleted before the bytes
 * are deleted.
 */
@Entity({ tableName: 'file' })
@Index({ properties: ['workspaceId', 'id'] })
export class StoredFile {
  /** The id is created with the row, so that ids follow the order in which files became visible. */
  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'uuid' })
  accountId: string;

  @Property({ type: 'uuid' })
  workspaceId: string;

  /** The object's id in the object store, created when the upload began. */
  @Property({ type: 'uuid', unique: true })
  objectId: string;

  /** Any text; never used as part of a path. */
  @Property({ type: 'text' })
  filename: string;

  /** Detected from the contents. */
  @Property({ type: 'text' })
  mimeType: string;

  @Property({ type: 'integer' })
  sizeBytes: number;

  /** 64 lowercase hex characters. */
  @Property({ type: 'character', length: 64, columnType: 'character(64)' })
  sha256: string;

  /** False for uploads, because only files that the service created can be downloaded. */
  @Property({ type: 'boolean' })
  downloadable: boolean;

  @Property({ type: 'datetime' })
  createdAt: Date;
}
