import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Config } from '../../config/config.js';
import type { StoredFile } from '../../database/entities/stored-file.entity.js';
import { parseFileId, toFileId } from '../../files/file-id.js';
import { StoredFiles } from '../../files/stored-files.js';
import type { SentBody } from '../../formats/vendor-text.js';
import type { InferenceContext } from '../../inference/task.js';
import { GatewayError, invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { withoutHiddenFileIds, withRewritten } from '../../text-edge/text-endpoint.js';
import type { Principal } from '../../kernel/principal.js';
import { filePartsOf, inlineBytes, inlinePart, withParts, type FilePart } from './file-parts.js';

/** The maximum number of different files in one request. It is low, because each file adds a row to the audit trail. */
const MAX_FILES = 20;
const UNKNOWN_TYPE = 'application/octet-stream';

/** A part, and the file that it refers to. */
interface Attachment extends FilePart {
  readonly file: StoredFile;
}

/**
 * Replaces file ids by the content of the uploaded files. Vendors use ids of the same form for files that the operator
 * stored at the vendor, so an id in a request must never reach a vendor.
 */
@Injectable()
export class AttachedFiles {
  constructor(
    private readonly files: StoredFiles,
    private readonly audit: AuditTrail,
    private readonly config: Config,
  ) {}

  /** Returns the body with the files inline. Returns a promise only if the request has files. */
  attach(messages: readonly object[], sent: SentBody, context: InferenceContext): SentBody | Promise<SentBody> {
    const parts = filePartsOf(messages);
    if (parts.length === 0) return withoutHiddenFileIds(sent, 'messages', messages);
    return this.#inlined(parts, sent, context).then((inline) =>
      withRewritten(sent, 'messages', withParts(messages, inline)),
    );
  }

  /** Maps each part that refers to a file to a part that contains the file. */
  async #inlined(
    parts: readonly FilePart[],
    sent: SentBody,
    context: InferenceContext,
  ): Promise<Map<FilePart['part'], FilePart['part']>> {
    const attachments = await this.#find(context.caller, parts);
    this.#check(sent, attachments);
    const contents = new Map<string, string>();
    for (const { file } of attachments) {
      if (contents.has(file.id)) continue;
      const { caller: by, place } = context;
      await this.audit.record({ by, action: 'use', kind: 'file', id: toFileId(file.id), place });
      contents.set(file.id, await this.#base64Of(file));
    }
    return new Map(
      attachments.map(({ part, file: { id, filename, mimeType: mediaType } }) => {
        return [part, inlinePart(part, { filename, mediaType, base64: contents.get(id)! })] as const;
      }),
    );
  }

  /** Throws the same 404 for a file of another workspace as for an unknown id. */
  async #find({ accountId, workspaceId }: Principal, parts: readonly FilePart[]): Promise<Attachment[]> {
    const ids = new Set(parts.map(({ fileId }) => parseFileId(fileId)));
    if (ids.size > MAX_FILES) throw invalidRequest(`A request can refer to at most ${MAX_FILES} files`);
    const stored = [...ids].filter((id) => id !== undefined);
    const found = await this.files.findAll({ accountId, workspaceId, ids: stored });
    return parts.map((part) => {
      const id = parseFileId(part.fileId);
      const file = found.find((candidate) => candidate.id === id);
      if (!file) throw notFound(`${part.path}.file.file_id: No file has this id`);
      return { ...part, file };
    });
  }

  /** Checks the types of the files, and the size of the body with the files inline. */
  #check({ bytes }: SentBody, attachments: readonly Attachment[]): void {
    const limit = this.config.values.CHAT_BODY_LIMIT_BYTES;
    let size = bytes.length;
    for (const { file, path } of attachments) {
      if (file.mimeType === UNKNOWN_TYPE) throw invalidRequest(`${path}: no model can read files of this type`);
      size += inlineBytes(file.sizeBytes);
    }
    if (size > limit)
      throw new GatewayError('payload_too_large', `The request body with its files is larger than ${limit} bytes`);
  }

  async #base64Of(file: StoredFile): Promise<string> {
    const bytes = await this.files.read(file);
    if (!bytes) throw new Error(`the bytes of file ${file.id} are missing: run "operator files verify"`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    return Buffer.concat(chunks).toString('base64');
  }
}
