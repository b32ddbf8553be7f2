import { hash } from 'node:crypto';
import { nanoToUsd } from '../../kernel/money.js';
import type { ActivityOfDay } from './activity.service.js';
import type { ActivityItem } from './dto/activity.response.dto.js';

/** Converts a day's activity to its API record. */
export const toActivityItem = (row: ActivityOfDay): ActivityItem => ({
  date: row.day,
  model: row.model,
  model_permaslug: row.model,
  endpoint_id: endpointIdOf(row.model, row.provider),
  provider_name: row.providerName,
  usage: nanoToUsd(row.cost),
  byok_usage_inference: nanoToUsd(row.byok_cost),
  requests: row.requests,
  prompt_tokens: Number(row.tokens_prompt),
  completion_tokens: Number(row.tokens_completion),
  reasoning_tokens: Number(row.tokens_reasoning),
  ...(row.workspaceId === undefined ? {} : { workspace_id: row.workspaceId }),
});

/** The id of an endpoint, derived from its model and provider, so that it never changes. */
function endpointIdOf(model: string, provider: string): string {
  const hex = hash('sha256', JSON.stringify([model, provider]), 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
