import type { InternSettings } from '../../interns/intern-settings.js';
import { nanoToUsd, usdToNano } from '../../kernel/money.js';
import { exactHostName } from '../../vaults/host-names.js';
import type { InternSettingsRequest } from './dto/intern-settings.request.dto.js';
import type { InternSettingsRecord } from './dto/intern-settings.response.dto.js';

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
