import type { StoredFile } from '../../database/entities/stored-file.entity.js';
import { toFileId } from '../../files/file-id.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { FileDeletedResponse, FileListResponse, FileRecord } from './dto/files.response.dto.js';

/** A page of a workspace's files. */
export interface FilePage {
  readonly files: readonly StoredFile[];
  readonly hasMore: boolean;
}

/** Converts files to their API records. */
export class FileWire {
  readonly #shape: { _shape?: 'openrouter' };

  constructor(dialect: Dialect) {
    this.#shape = dialect === 'openrouter' ? { _shape: 'openrouter' } : {};
  }

  record(file: StoredFile): FileRecord {
    return {
      ...this.#shape,
      id: toFileId(file.id),
      type: 'file',
      filename: file.filename,
      mime_type: file.mimeType,
      size_bytes: file.sizeBytes,
      created_at: file.createdAt.toISOString(),
      downloadable: file.downloadable,
    };
  }

  list({ files, hasMore }: FilePage): FileListResponse {
    const data = files.map((file) => this.record(file));
    const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return { ...this.#shape, data, has_more: hasMore, first_id: first, last_id: last, cursor: hasMore ? last : null };
  }

  deleted(id: string): FileDeletedResponse {
    return { ...this.#shape, id, type: 'file_deleted' };
  }
}
