import { EntityManager, LockMode, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sessionOf, type InTransaction } from '../database/session-of.js';
import { StoredFile } from '../database/entities/stored-file.entity.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError, invalidRequest } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import { DataFolder } from '../storage/data-folder.js';
import { ObjectStore, type PutReceipt } from '../storage/object-store.port.js';
import { rowsOfTable, WorkspaceContents } from '../tenancy/workspace-contents.js';
import { Workspaces } from '../tenancy/workspaces.js';
import { objectKeyOf } from './file-bytes.js';
import { plainFileName } from './file-name.js';
import { ContentSniffer } from './sniffing/content-sniffer.js';

interface NewFile {
  readonly accountId: string;
  readonly workspaceId: string;
  /** As sent by the caller. */
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Identifies a file of an account. If `workspaceIds` is set, files of other workspaces are not found. */
export interface FilePlace {
  readonly accountId: string;
  readonly id: string;
  /** Absent = any workspace of the account. */
  readonly workspaceIds?: readonly string[];
}

/**
 * Rows and bytes of files. The row is written after the bytes and deleted before them, so that every row has its bytes.
 */
@Injectable()
export class StoredFiles {
  readonly #log = new Logger(StoredFiles.name);

  constructor(
    private readonly em: EntityManager,
    private readonly store: ObjectStore,
    private readonly folder: DataFolder,
    private readonly clock: Clock,
    private readonly workspaces: Workspaces,
    contents: WorkspaceContents,
  ) {
    contents.register('files', rowsOfTable('file'));
  }

  /** Stores an upload. If it is refused, neither row nor bytes remain. */
  async add(
    { accountId, workspaceId, name, bytes }: NewFile,
    inTransaction: InTransaction<StoredFile>,
  ): Promise<StoredFile> {
    const filename = plainFileName(name);
    const sniffer = new ContentSniffer(filename);
    const objectId = newId(this.clock.now().getTime());
    const key = objectKeyOf({ accountId, objectId });
    let mimeType = '';
    const { size: sizeBytes, sha256 } = await this.#put(
      key,
      sniffed(bytes, sniffer, (found) => (mimeType = found)),
    );
    try {
      return await this.em.fork().transactional(async (em) => {
        const session = sessionOf(em);
        if (!(await this.workspaces.hold(workspaceId, session)))
          throw invalidRequest('workspace_id must be the id of a workspace of this account');
        const createdAt = this.clock.now();
        const file = em.create(StoredFile, {
          id: newId(createdAt.getTime()),
          accountId,
          workspaceId,
          objectId,
          filename,
          mimeType,
          sizeBytes,
          sha256,
          downloadable: false,
          createdAt,
        });
        await em.flush();
        await inTransaction(file, session);
        return file;
      });
    } catch (error) {
      // If it is unknown whether the row was committed, leave the bytes to the sweeper.
      if (isRefusal(error)) await this.#deleteBytes(key);
      throw error;
    }
  }

  async #put(key: string, bytes: AsyncIterable<Buffer>): Promise<PutReceipt> {
    try {
      await this.folder.assertPresent();
      return await this.store.put(key, bytes);
    } catch (error) {
      if (error instanceof GatewayError && error.kind === 'unavailable')
        this.#log.error(`A file could not be stored: ${(error.cause as Error | undefined)?.message ?? error.message}`);
      throw error;
    }
  }

  find(place: FilePlace): Promise<StoredFile | null> {
    return this.em.fork().findOne(StoredFile, filterOf(place));
  }

  /** The files of the workspace with these ids, in any order. */
  findAll({ accountId, workspaceId, ids }: { accountId: string; workspaceId: string; ids: readonly string[] }) {
    return this.em.fork().find(StoredFile, { accountId, workspaceId, id: { $in: [...ids] } });
  }

  /** Oldest first, after the file with the id `after`. */
  list(workspaceId: string, limit: number, after?: string): Promise<StoredFile[]> {
    return this.em
      .fork()
      .find(
        StoredFile,
        { workspaceId, ...(after === undefined ? {} : { id: { $gt: after } }) },
        { orderBy: { id: 'asc' }, limit },
      );
  }

  /** The bytes; undefined if they are missing in the store. */
  read(file: StoredFile): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.store.get(objectKeyOf(file));
  }

  /** False if there is no such file. */
  async delete(place: FilePlace, inTransaction: InTransaction<StoredFile>): Promise<boolean> {
    const deleted = await this.em.fork().transactional(async (em) => {
      const file = await em.findOne(StoredFile, filterOf(place), { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!file) return null;
      em.remove(file);
      await em.flush();
      await inTransaction(file, sessionOf(em));
      return file;
    });
    if (deleted) await this.#deleteBytes(objectKeyOf(deleted));
    return deleted !== null;
  }

  async #deleteBytes(key: string): Promise<void> {
    await this.store
      .delete(key)
      .catch((error: Error) => this.#log.warn(`Bytes without a record could not be deleted: ${error.message}`));
  }
}

const filterOf = ({ accountId, id, workspaceIds }: FilePlace): FilterQuery<StoredFile> => ({
  accountId,
  id,
  ...(workspaceIds && { workspaceId: { $in: [...workspaceIds] } }),
});

/** Yields the bytes unchanged, and passes their media type to `report` at the end. Throws for an empty file. */
async function* sniffed(
  bytes: AsyncIterable<Buffer>,
  sniffer: ContentSniffer,
  report: (mimeType: string) => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    await sniffer.push(chunk);
    yield chunk;
  }
  if (size === 0) throw invalidRequest('The file is empty');
  report(await sniffer.end());
}

/** Whether the transaction certainly did not commit, because the database or this service refused it. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    error instanceof GatewayError || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57)/.test(code))
  );
}
