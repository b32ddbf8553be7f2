import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { ApiKeys, type KeyChanges } from '../../auth/api-keys.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { AllowedModels } from '../../inference/allowed-models.js';
import { toCallLimitChanges } from '../../http/validation/call-limits.request.dto.js';
import { changedLimits, type CallLimitChanges } from '../../kernel/call-limit-settings.js';
import { DEFAULT_CACHE_TTL_S } from '../../kernel/cache-use.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import type { UpdateKeySettingsRequest } from './dto/key-settings.request.dto.js';
import { KeyChangeRules } from './key-change-rules.js';

const MAX_ECHO_CHARACTERS = 100;

/** The settings of keys. An intern's own key has none: its parent key's settings apply to it. */
@Injectable()
export class KeySettingsService {
  constructor(
    private readonly keys: ApiKeys,
    private readonly allowed: AllowedModels,
    private readonly rules: KeyChangeRules,
    private readonly audit: AuditTrail,
  ) {}

  async get(hash: string, caller: Principal): Promise<ApiKey> {
    const key = await this.keys.find(caller, hash);
    if (!key || key.internId !== null) throw notFound('No API key has this hash');
    return key;
  }

  async put(hash: string, request: UpdateKeySettingsRequest, by: Principal, place: CallerPlace): Promise<ApiKey> {
    const present = await this.get(hash, by);
    this.#assertKnown(request.allowed_models ?? []);
    const limits = {
      ...toCallLimitChanges(request, (name) => this.allowed.idOf(name)),
      sessionMaxCalls: request.session_max_calls,
    };
    await this.rules.assertMayChange(present, by, false);
    const changes = (key: ApiKey): KeyChanges => changesOf(request, limits, key);
    const changed = await this.keys.change(by, hash, changes, ({ hash: id }, session) =>
      this.audit.record({ by, action: 'update', kind: 'api_key', id, place }, session),
    );
    if (!changed) throw notFound('No API key has this hash');
    return changed;
  }

  #assertKnown(names: readonly string[]): void {
    const unknown = names.find((name) => !this.allowed.isKnown(name));
    if (unknown !== undefined)
      throw invalidRequest(
        `allowed_models: "${unknown.slice(0, MAX_ECHO_CHARACTERS)}" is neither the name of a model nor author/*. ` +
          'GET /models lists the models.',
      );
  }
}

/** The settings that the request contains; others are absent. */
function changesOf(
  request: UpdateKeySettingsRequest,
  limits: CallLimitChanges,
  { responseCacheTtlS, callLimits }: ApiKey,
): KeyChanges {
  const { cache } = request;
  const named: KeyChanges = {
    allowedModels: request.allowed_models && [...new Set(request.allowed_models)],
    requestsPerMinute: request.requests_per_minute,
    responseCacheTtlS:
      cache === undefined
        ? undefined
        : cache?.enabled
          ? (cache.ttl_seconds ?? responseCacheTtlS ?? DEFAULT_CACHE_TTL_S)
          : null,
    callLimits: changedLimits(callLimits, limits),
    trustEndUserHeaders: request.trust_end_user_headers,
    exportContent: request.export_content,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}
