import type { Actor, InternFields, InternRecord } from '../../interns/intern-record.js';
import type { InternSettings } from '../../interns/intern-settings.js';
import { PROVISIONING_STEPS } from '../../interns/lifecycle.js';
import { toWire, type Dialect } from '../../kernel/dialect.js';
import type { Principal } from '../../kernel/principal.js';
import { nanoToUsd, usdToNano } from '../../kernel/money.js';
import { exactHostName } from '../../vaults/host-names.js';
import type { InternSettingsRequest } from './dto/intern-settings.request.dto.js';
import type { InternSettingsRecord } from './dto/intern-settings.response.dto.js';
import type { UpdateInternRequest } from './dto/update-intern.request.dto.js';
import type { InternListResponse, InternProgress, InternResponse } from './dto/intern.response.dto.js';

/** A page of interns. */
export interface InternPage {
  readonly interns: readonly InternRecord[];
  /** The `no` of the last intern; undefined on the last page. */
  readonly last?: number;
}

/** Converts an intern to its API record. */
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

/** The position in a cursor; undefined for any other text. */
export function placeOfCursor(cursor: string): number | undefined {
  const place = /^after:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  return place === undefined ? undefined : Number(place);
}

export const toChanges = ({ name, description, instructions, model }: UpdateInternRequest): InternFields => ({
  name,
  description,
  instructions,
  model,
});

/** The principal must have an acting member, which the guard has checked. */
export const toActor = ({ accountId, workspaceId, creatorUserId, keyHash, keyNo, place }: Principal): Actor => ({
  accountId,
  workspaceId,
  userId: creatorUserId!,
  keyHash,
  keyNo,
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

export const toSettingsRecord = (settings: InternSettings): InternSettingsRecord => ({
  limit: settings.limitNano === null ? null : nanoToUsd(settings.limitNano),
  limit_reset: settings.limitReset,
  allowed_hosts: [...settings.allowedHosts],
  approval_mode: settings.approvalMode,
});

/** The settings in a request. Hosts are in canonical form, without duplicates. */
export const toSettings = (request: InternSettingsRequest): InternSettings => ({
  limitNano: typeof request.limit === 'number' ? usdToNano(request.limit) : null,
  limitReset: request.limit_reset ?? null,
  allowedHosts: [...new Set((request.allowed_hosts ?? []).map((host) => exactHostName(host)!))],
  approvalMode: request.approval_mode ?? 'self-drive',
});
