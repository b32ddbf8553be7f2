import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { TextModels } from '../../inference/text-models.js';
import { InternCreation, type Creation } from '../../interns/intern-creation.js';
import { Interns } from '../../interns/interns.js';
import type { InternRecord } from '../../interns/intern-record.js';
import { internErrors } from '../../interns/intern.errors.js';
import { INTERN_STATUSES, type InternStatus } from '../../interns/lifecycle.js';
import { fromWire } from '../../kernel/dialect.js';
import type { Principal } from '../../kernel/principal.js';
import type { CreateInternRequest } from './dto/create-intern.request.dto.js';
import type { ListInternsRequest } from './dto/list-interns.request.dto.js';
import type { UpdateInternRequest } from './dto/update-intern.request.dto.js';
import { placeOfCursor, toActor, toChanges, type InternPage } from './interns.wire.js';

const DEFAULT_LIMIT = 100;
const MAX_STATUSES = 8;

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class InternsService {
  constructor(
    private readonly creation: InternCreation,
    private readonly interns: Interns,
    private readonly models: TextModels,
  ) {}

  async list(request: ListInternsRequest, caller: Principal): Promise<InternPage> {
    if (request.workspace_id !== undefined && request.workspace_id.toLowerCase() !== caller.workspaceId)
      throw internErrors.notFound();
    const limit = request.limit ?? DEFAULT_LIMIT;
    const startingAfter = request.starting_after === undefined ? null : placeOfCursor(request.starting_after);
    if (startingAfter === undefined)
      throw internErrors.invalidBody('starting_after must be the next_cursor of an earlier page');
    const found = await this.interns.list(toActor(caller), {
      statuses: statusesOf(request.status),
      startingAfter,
      limit: limit + 1,
    });
    const interns = found.slice(0, limit);
    return { interns, last: found.length > limit ? interns.at(-1)!.no : undefined };
  }

  async create(
    request: CreateInternRequest,
    idempotency: { readonly key: string | undefined; readonly waitUntil: number },
    caller: Principal,
  ): Promise<Creation> {
    if (request.workspace_id !== undefined && request.workspace_id.toLowerCase() !== caller.workspaceId) {
      throw internErrors.invalidBody(
        'workspace_id must be the workspace of the API key: leave it out, or use a key of the requested workspace',
      );
    }
    const { name, description = null, instructions = null, provision = false } = request;
    const intern = { name, description, instructions, provision, vaultId: request.vault_id?.toLowerCase() ?? null };
    return this.creation.create(toActor(caller), intern, idempotency.key, idempotency.waitUntil);
  }

  /** The own key of an intern can read only that intern. */
  async get(id: string, caller: Principal): Promise<InternRecord> {
    if (caller.internId !== null && caller.internId !== id.toLowerCase()) throw internErrors.notFound();
    return this.interns.get(toActor(caller), id);
  }

  async update(id: string, request: UpdateInternRequest, caller: Principal): Promise<InternRecord> {
    if (typeof request.model === 'string') this.models.assertText(request.model);
    return this.interns.update(toActor(caller), id, toChanges(request));
  }

  delete(id: string, acknowledgeLoss: boolean, caller: Principal): Promise<void> {
    return this.interns.delete(toActor(caller), id, acknowledgeLoss);
  }

  provision(id: string, caller: Principal): Promise<void> {
    return this.interns.provision(toActor(caller), id);
  }

  /** Returns when the runtime has ended, but after 5 s at the latest. */
  async suspend(id: string, caller: Principal): Promise<void> {
    await this.interns.suspend(toActor(caller), id);
    await this.interns.untilAtRest(id, () => sleep(50), 100);
  }
}

function statusesOf(list: string | undefined): InternStatus[] {
  if (list === undefined) return [];
  const words = list.split(',').map((word) => fromWire(word.trim()));
  if (words.length > MAX_STATUSES) throw internErrors.invalidBody(`status accepts at most ${MAX_STATUSES} statuses`);
  const unknown = words.find((word) => !(INTERN_STATUSES as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw internErrors.invalidBody(
      `status does not accept ${JSON.stringify(unknown.slice(0, 50))}: the statuses are ` +
        `${INTERN_STATUSES.join(', ')}, separated by commas`,
    );
  return words as InternStatus[];
}
