import type { Actor, InternRecord } from '../../interns/intern-record.js';
import type { InternChanges } from '../../interns/intern-life.js';
import { PROVISIONING_STEPS } from '../../interns/provisioning-steps.js';
import { toWire, type Dialect } from '../../kernel/dialect.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import type { UpdateInternRequest } from './dto/update-intern.request.dto.js';
import type { InternListResponse, InternProgress, InternResponse } from './dto/intern.response.dto.js';

/** A page of interns. */
export interface InternPage {
  readonly interns: readonly InternRecord[];
  /** The place of the last one; undefined where there are no more. */
  readonly last?: number;
}

/** What may leave the building of an intern. */
export function toInternResponse(intern: InternRecord, dialect: Dialect): InternResponse {
  return {
    id: intern.id,
    name: intern.name,
    description: intern.description,
    instructions: intern.instructions,
    model: intern.model,
    status: toWire(intern.status, dialect),
    last_failure_message: intern.lastFailureMessage,
    progress: progressOf(intern),
    hostname: intern.hostname,
    workspace_id: intern.workspaceId,
    vault_id: intern.vaultId,
    attached_vault_id: intern.attachedVaultId,
    created_at: intern.createdAt.toISOString(),
    updated_at: intern.updatedAt.toISOString(),
  };
}

export function toInternList({ interns, last }: InternPage, dialect: Dialect): InternListResponse {
  return {
    data: interns.map((intern) => toInternResponse(intern, dialect)),
    has_more: last !== undefined,
    ...(last === undefined ? {} : { next_cursor: Buffer.from(`after:${last}`).toString('base64url') }),
  };
}

/** The place behind a cursor; undefined for a text that never was one. */
export function placeOfCursor(cursor: string): number | undefined {
  const place = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  return place === undefined ? undefined : Number(place);
}

export const toChanges = ({ name, description, instructions, model }: UpdateInternRequest): InternChanges => ({
  name,
  description,
  instructions,
  model,
});

/** The guard has seen to it that a member acts. */
export const toActor = (caller: Principal, place?: CallerPlace): Actor => ({
  accountId: caller.accountId,
  workspaceId: caller.workspaceId,
  userId: caller.creatorUserId!,
  keyHash: caller.keyHash,
  place,
});

function progressOf({ status, progressStep }: InternRecord): InternProgress | null {
  if (status !== 'provisioning' || progressStep === null) return null;
  return {
    step_label: PROVISIONING_STEPS[progressStep - 1]!,
    step_number: progressStep,
    total_steps: PROVISIONING_STEPS.length,
  };
}
