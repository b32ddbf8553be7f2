import { EntityManager, LockMode, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sessionOf, type Alongside } from '../database/session-of.js';
import { StoredFile } from '../database/stored-file.entity.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError, invalidRequest } from '../kernel/errors.js';
import { newId } from '../kernel/ids.js';
import { ObjectStore } from '../storage/object-store.port.js';
import { WorkspaceContents } from '../tenancy/workspace-contents.js';
import { Workspaces } from '../tenancy/workspaces.js';
import { objectKeyOf } from './file-bytes.js';
import { plainFileName } from './file-name.js';
import { ContentSniffer } from './sniffing/content-sniffer.js';

export interface NewFile {
  readonly accountId: string;
  readonly workspaceId: string;
  /** As the sender calls it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Which file: another account's does not exist for the asker, nor one of a workspace that was not asked for. */
export interface FilePlace {
  readonly accountId: string;
  readonly id: string;
  readonly workspaceId?: string;
}

/** Rows and bytes of files, kept in step: a row comes after its bytes and goes before them, so that none is ever without. */
@Injectable()
export class StoredFiles {
  readonly #log = new Logger(StoredFiles.name);

  constructor(
    private readonly em: EntityManager,
    private readonly store: ObjectStore,
    private readonly clock: Clock,
    private readonly workspaces: Workspaces,
    contents: WorkspaceContents,
  ) {
    contents.register('files', async (workspaceId, session) => {
      const [row] = await session.query<{ found: number }>(
        'select count(*)::int as found from file where workspace_id = $1',
        [workspaceId],
      );
      return row?.found ?? 0;
    });
  }

  /** Keeps a file as it arrives. Whatever fails, neither row nor bytes stay. */
  async add({ accountId, workspaceId, name, bytes }: NewFile, alongside: Alongside<StoredFile>): Promise<StoredFile> {
    const filename = plainFileName(name);
    const sniffer = new ContentSniffer(filename);
    const objectId = newId(this.clock.now().getTime());
    const key = objectKeyOf({ accountId, objectId });
    let mimeType = '';
    const { size: sizeBytes, sha256 } = await this.store.put(
      key,
      sniffed(bytes, sniffer, (found) => (mimeType = found)),
    );
    try {
      return await this.em.fork().transactional(async (em) => {
        const session = sessionOf(em);
        if (!(await this.workspaces.hold(workspaceId, session)))
          throw invalidRequest('workspace_id names no workspace of this account');
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
        await alongside(file, session);
        return file;
      });
    } catch (error) {
      // Where nobody knows whether the row was written, the bytes stay for the sweeper to judge.
      if (isRefusal(error)) await this.#deleteBytes(key);
      throw error;
    }
  }

  async find(place: FilePlace): Promise<StoredFile | null> {
    return this.em.fork().findOne(StoredFile, at(place));
  }

  /** Oldest first, from behind the one with the id `after` on. */
  async list(workspaceId: string, limit: number, after?: string): Promise<StoredFile[]> {
    return this.em
      .fork()
      .find(
        StoredFile,
        { workspaceId, ...(after === undefined ? {} : { id: { $gt: after } }) },
        { orderBy: { id: 'asc' }, limit },
      );
  }

  /** The bytes; undefined where the store has lost them. */
  async read(file: StoredFile): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.store.get(objectKeyOf(file));
  }

  /** False where there is no such file. */
  async delete(place: FilePlace, alongside: Alongside<StoredFile>): Promise<boolean> {
    const gone = await this.em.fork().transactional(async (em) => {
      const file = await em.findOne(StoredFile, at(place), { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!file) return null;
      em.remove(file);
      await em.flush();
      await alongside(file, sessionOf(em));
      return file;
    });
    if (gone) await this.#deleteBytes(objectKeyOf(gone));
    return gone !== null;
  }

  async #deleteBytes(key: string): Promise<void> {
    await this.store
      .delete(key)
      .catch((error: Error) => this.#log.warn(`Bytes without a row are left for the sweeper: ${error.message}`));
  }
}

const at = ({ accountId, id, workspaceId }: FilePlace): FilterQuery<StoredFile> => ({
  accountId,
  id,
  ...(workspaceId === undefined ? {} : { workspaceId }),
});

/** Passes the bytes on while they are read, and refuses a file of none. */
async function* sniffed(
  bytes: AsyncIterable<Buffer>,
  sniffer: ContentSniffer,
  tell: (mimeType: string) => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    await sniffer.push(chunk);
    yield chunk;
  }
  if (size === 0) throw invalidRequest('The file is empty');
  tell(await sniffer.end());
}

/** An error after which the transaction is known not to have committed: the database or this service said no. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    error instanceof GatewayError || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57)/.test(code))
  );
}
