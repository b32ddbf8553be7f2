import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Config } from '../../config/config.js';
import type { InTransaction } from '../../database/session-of.js';
import type { StoredFile } from '../../database/entities/stored-file.entity.js';
import { parseFileId, toFileId } from '../../files/file-id.js';
import { StoredFiles, type FilePlace } from '../../files/stored-files.js';
import { MAX_FILE_BYTES } from '../../files/upload-limits.js';
import { FORM_OVERHEAD_BYTES, type SentFile } from '../../http/reply/sent-file.js';
import { workspacesOf } from '../../kernel/access/reach.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { FileQuery, ListFilesRequest } from './dto/files.request.dto.js';
import type { FilePage } from './files.wire.js';

export const MAX_FORM_BYTES = MAX_FILE_BYTES + FORM_OVERHEAD_BYTES;
const DEFAULT_LIMIT = 100;

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class FilesService {
  constructor(
    private readonly files: StoredFiles,
    private readonly workspaces: Workspaces,
    private readonly audit: AuditTrail,
    private readonly config: Config,
  ) {}

  async list(request: ListFilesRequest, caller: Principal): Promise<FilePage> {
    const workspaceId = await this.#workspaceToRead(request.workspace_id, caller);
    const cursor = request.cursor ?? request.after;
    const after = cursor === undefined ? undefined : parseFileId(cursor);
    if (cursor !== undefined && after === undefined) throw invalidRequest('cursor must be the cursor of another page');
    const limit = request.limit ?? DEFAULT_LIMIT;
    const found = await this.files.list(workspaceId, limit + 1, after);
    return { files: found.slice(0, limit), hasMore: found.length > limit };
  }

  /** Resolves the workspace before reading the body. */
  async upload(sent: SentFile, request: FileQuery, caller: Principal): Promise<StoredFile> {
    const { accountId } = caller;
    const workspace = await this.workspaces.findOrDefault(caller, request.workspace_id);
    if (!workspace) throw invalidRequest('workspace_id must be the id of a workspace of this account');
    const rule = { field: 'file', maxBytes: MAX_FILE_BYTES, idleMs: this.config.values.UPLOAD_IDLE_TIMEOUT_MS };
    return sent.receive(rule, (file) =>
      this.files.add({ accountId, workspaceId: workspace.id, ...file }, this.#audited('create', caller)),
    );
  }

  async get(id: string, request: FileQuery, caller: Principal): Promise<StoredFile> {
    const file = await this.files.find(await this.#placeOf(id, request, caller));
    if (!file) throw noFile();
    return file;
  }

  async delete(id: string, request: FileQuery, caller: Principal): Promise<string> {
    const target = await this.#placeOf(id, request, caller);
    if (!(await this.files.delete(target, this.#audited('delete', caller)))) throw noFile();
    return toFileId(target.id);
  }

  async content(
    id: string,
    request: FileQuery,
    caller: Principal,
  ): Promise<{ filename: string; bytes: AsyncIterable<Uint8Array> }> {
    const file = await this.get(id, request, caller);
    if (!file.downloadable) throw invalidRequest('Uploaded files cannot be downloaded');
    const bytes = await this.files.read(file);
    if (!bytes) throw new Error(`the bytes of file ${file.id} are missing: run "operator files verify"`);
    return { filename: file.filename, bytes };
  }

  async #placeOf(id: string, request: FileQuery, caller: Principal): Promise<FilePlace> {
    const { accountId } = caller;
    const named = request.workspace_id;
    const workspaceIds = named === undefined ? workspacesOf(caller) : [await this.#workspaceToRead(named, caller)];
    const stored = parseFileId(id);
    if (stored === undefined) throw noFile();
    return { accountId, id: stored, workspaceIds };
  }

  async #workspaceToRead(id: string | undefined, caller: Principal): Promise<string> {
    const workspace = await this.workspaces.findOrDefault(caller, id);
    if (!workspace) throw notFound('No workspace has this id');
    return workspace.id;
  }

  #audited(action: 'create' | 'delete', by: Principal): InTransaction<StoredFile> {
    return ({ id }, session) => this.audit.record({ by, action, kind: 'file', id: toFileId(id) }, session);
  }
}

const noFile = (): Error => notFound('No file has this id');
