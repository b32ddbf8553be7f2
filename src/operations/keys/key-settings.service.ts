import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { changedSettings } from '../../audit/setting-changes.js';
import { ApiKeys, type KeyChangesByRow } from '../../auth/api-keys.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { AllowedModels } from '../../inference/allowed-models.js';
import { raiseIn, type RaiseRequest } from '../../http/validation/raise.request.dto.js';
import { toCallLimitChanges } from '../../http/validation/call-limits.request.dto.js';
import { givenMembers } from '../../kernel/given-members.js';
import { changedLimits, type CallLimitChanges } from '../../kernel/call-limit-settings.js';
import { DEFAULT_CACHE_TTL_S } from '../../kernel/cache-use.js';
import { Clock } from '../../kernel/clock.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import type { UpdateKeySettingsRequest } from './dto/key-settings.request.dto.js';
import type { KeySettingsRecord } from './dto/key-settings.response.dto.js';
import { KeyChangeRules } from './key-change-rules.js';
import { toAuditedSettings, toSettingsRecord } from './keys.wire.js';
import { NewKeys } from './new-keys.js';

const MAX_ECHO_CHARACTERS = 100;

/**
 * The settings of keys. An intern's own key has no settings of its own, because the settings of its parent key apply.
 */
@Injectable()
export class KeySettingsService {
  constructor(
    private readonly keys: ApiKeys,
    private readonly allowed: AllowedModels,
    private readonly newKeys: NewKeys,
    private readonly rules: KeyChangeRules,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  async get(hash: string, caller: Principal): Promise<KeySettingsRecord> {
    return toSettingsRecord(await this.#find(hash, caller), this.clock.now());
  }

  /** Raises the limit of the key until a time. Replaces the current raise. */
  async raise(hash: string, request: RaiseRequest, by: Principal): Promise<KeySettingsRecord> {
    const { amount, until } = raiseIn(request, this.clock.now());
    return this.#change(hash, by, ({ limitNano, workspaceId }) => {
      if (limitNano === null) throw invalidRequest('The key has no limit: set one with PATCH /keys/{hash} first');
      const raise = { raiseNano: amount, raiseUntil: until };
      this.newKeys.assertLimit({ limitNano, workspaceId, ...raise }, by);
      return raise;
    });
  }

  async endRaise(hash: string, by: Principal): Promise<KeySettingsRecord> {
    return this.#change(hash, by, () => ({ raiseNano: 0n, raiseUntil: null }));
  }

  async put(hash: string, request: UpdateKeySettingsRequest, by: Principal): Promise<KeySettingsRecord> {
    this.#assertKnown(request.allowed_models ?? []);
    const limits = {
      ...toCallLimitChanges(request, (name) => this.allowed.idOf(name)),
      sessionMaxCalls: request.session_max_calls,
    };
    return this.#change(hash, by, (key) => changesOf(request, limits, key));
  }

  async #change(hash: string, by: Principal, change: (key: ApiKey) => KeyChangesByRow): Promise<KeySettingsRecord> {
    await this.rules.assertMayChange(await this.#find(hash, by), by, false);
    const changed = await this.keys.change(by, hash, change, (key, session, before) => {
      const changes = changedSettings(toAuditedSettings(before), toAuditedSettings(key));
      return this.audit.record({ by, action: 'update', kind: 'api_key', id: key.hash, changes }, session);
    });
    if (!changed) throw notFound('No API key has this hash');
    return toSettingsRecord(changed, this.clock.now());
  }

  async #find(hash: string, caller: Principal): Promise<ApiKey> {
    const key = await this.keys.find(caller, hash);
    if (!key || key.internId !== null) throw notFound('No API key has this hash');
    return key;
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
): KeyChangesByRow {
  const { cache, session_limit_usd: sessionLimit } = request;
  return givenMembers<KeyChangesByRow>({
    allowedModels: request.allowed_models && [...new Set(request.allowed_models)],
    requestsPerMinute: request.requests_per_minute,
    responseCacheTtlS:
      cache === undefined
        ? undefined
        : cache?.enabled
          ? (cache.ttl_seconds ?? responseCacheTtlS ?? DEFAULT_CACHE_TTL_S)
          : null,
    callLimits: changedLimits(callLimits, limits),
    sessionLimitNano: typeof sessionLimit === 'number' ? usdToNano(sessionLimit) : sessionLimit,
    trustEndUserHeaders: request.trust_end_user_headers,
    exportContent: request.export_content,
  });
}
