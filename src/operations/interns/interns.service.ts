import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { InternCreation, type Creation } from '../../interns/intern-creation.js';
import { InternLife } from '../../interns/intern-life.js';
import type { InternRecord } from '../../interns/intern-record.js';
import { internErrors } from '../../interns/intern.errors.js';
import { INTERN_STATUSES, type InternStatus } from '../../interns/lifecycle.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { fromWire } from '../../kernel/dialect.js';
import type { Principal } from '../../kernel/principal.js';
import type { CreateInternRequest } from './dto/create-intern.request.dto.js';
import type { ListInternsRequest } from './dto/list-interns.request.dto.js';
import type { UpdateInternRequest } from './dto/update-intern.request.dto.js';
import { placeOfCursor, toActor, toChanges, type InternPage } from './interns.wire.js';

const DEFAULT_LIMIT = 100;
const MOST_STATUSES = 8;

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class InternsService {
  constructor(
    private readonly creation: InternCreation,
    private readonly life: InternLife,
  ) {}

  async list(request: ListInternsRequest, caller: Principal): Promise<InternPage> {
    if (request.workspace_id !== undefined && request.workspace_id.toLowerCase() !== caller.workspaceId)
      throw internErrors.notFound();
    const limit = request.limit ?? DEFAULT_LIMIT;
    const startingAfter = request.starting_after === undefined ? null : placeOfCursor(request.starting_after);
    if (startingAfter === undefined)
      throw internErrors.invalidBody('starting_after must be the next_cursor of an earlier page');
    const found = await this.life.list(toActor(caller), {
      statuses: statusesOf(request.status),
      startingAfter,
      limit: limit + 1,
    });
    const interns = found.slice(0, limit);
    return { interns, last: found.length > limit ? interns.at(-1)!.no : undefined };
  }

  async create(
    request: CreateInternRequest,
    idempotencyKey: string | undefined,
    caller: Principal,
    place: CallerPlace,
  ): Promise<Creation> {
    if (request.workspace_id !== undefined && request.workspace_id.toLowerCase() !== caller.workspaceId) {
      throw internErrors.invalidBody(
        'workspace_id must be the workspace of the API key: leave it out, or use a key of that workspace',
      );
    }
    const { name, description = null, instructions = null, provision = false } = request;
    return this.creation.create(
      toActor(caller, place),
      { name, description, instructions, provision, vaultId: request.vault_id?.toLowerCase() ?? null },
      idempotencyKey,
    );
  }

  /** An intern's own key sees only that intern. */
  async get(id: string, caller: Principal): Promise<InternRecord> {
    if (caller.internId !== null && caller.internId !== id.toLowerCase()) throw internErrors.notFound();
    return this.life.get(toActor(caller), id);
  }

  async update(id: string, request: UpdateInternRequest, caller: Principal, place: CallerPlace): Promise<InternRecord> {
    return this.life.update(toActor(caller, place), id, toChanges(request));
  }

  async delete(id: string, acknowledgeLoss: boolean, caller: Principal, place: CallerPlace): Promise<void> {
    await this.life.delete(toActor(caller, place), id, acknowledgeLoss);
  }

  async provision(id: string, caller: Principal, place: CallerPlace): Promise<void> {
    await this.life.provision(toActor(caller, place), id);
  }

  /** Answers when the runtime is gone, or after 5 s at the latest: by then it is being stopped. */
  async suspend(id: string, caller: Principal, place: CallerPlace): Promise<void> {
    await this.life.suspend(toActor(caller, place), id);
    await this.life.untilAtRest(id, () => sleep(50), 100);
  }
}

function statusesOf(list: string | undefined): InternStatus[] {
  if (list === undefined) return [];
  const words = list.split(',').map((word) => fromWire(word.trim()));
  if (words.length > MOST_STATUSES) throw internErrors.invalidBody(`status takes at most ${MOST_STATUSES} statuses`);
  const unknown = words.find((word) => !(INTERN_STATUSES as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw internErrors.invalidBody(
      `status knows no ${JSON.stringify(unknown.slice(0, 50))}: it takes ${INTERN_STATUSES.join(', ')}, separated by commas`,
    );
  return words as InternStatus[];
}
