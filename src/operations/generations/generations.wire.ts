import { toGenerationId } from '../../kernel/ids.js';
import { amountOf, nanoTextToUsd, nanoToUsd } from '../../kernel/money.js';
import { CALL_KINDS, type ListedCall } from '../../usage/call-list.js';
import type { CallPage } from '../../usage/call-lists.js';
import { attemptsOf, isPriceAssumed, type RecordedAttempt } from '../../usage/generation-detail.js';
import type { Generation } from '../../usage/generations.js';
import type {
  AttemptCredential,
  CallError,
  GenerationDetails,
  LatencyParts,
  PriceLine,
} from './dto/generation-details.response.dto.js';
import type { GenerationListItem, GenerationListResponse } from './dto/generations.response.dto.js';
import type { Names } from './generations.service.js';

const SUCCEEDED = 200;
const CALLER_LEFT = 499;

export const toGenerationList = ({ calls, nextCursor, asOf }: CallPage, names: Names): GenerationListResponse => ({
  data: calls.map((call) => toListItem(call, names)),
  has_more: nextCursor !== null,
  next_cursor: nextCursor,
  as_of: asOf.toISOString(),
});

function toListItem(call: ListedCall, { keys, workspaces, providerName }: Names): GenerationListItem {
  return {
    id: toGenerationId(call.id),
    created_at: new Date(call.at).toISOString(),
    kind: CALL_KINDS[call.kind]!,
    model: call.model,
    provider_name: call.provider === null ? null : providerName(call.provider),
    status: call.status,
    finish_reason: call.finish_reason,
    api_key_hash: keys.get(call.key_no) ?? null,
    workspace_id: workspaces.get(call.workspace_no) ?? null,
    external_user: call.external_user,
    is_byok: call.is_byok,
    usage: nanoTextToUsd(call.cost),
    total_cost: nanoTextToUsd(call.is_byok ? call.upstream_cost : call.cost),
    tokens_prompt: call.tokens_prompt,
    tokens_completion: call.tokens_completion,
    tokens_reasoning: call.tokens_reasoning,
    tokens_cached: call.tokens_cached,
    characters: call.characters,
    images: call.images,
    latency: call.latency_ms,
    generation_time: call.duration_ms,
  };
}

export function toGenerationDetails(generation: Generation, names: Names): GenerationDetails {
  const { detail } = generation;
  const { latency: _latency, generation_time: _time, ...item } = toListItem(asListed(generation), names);
  const attempts = attemptsOf(detail)?.map((attempt) => ({
    provider_name: attempt.provider,
    status: attempt.status,
    latency: attempt.latency_ms,
    error: errorOf(attempt),
    credential: credentialOf(attempt, names),
  }));
  const cacheSource = detail?.response_cache_source_id;
  return {
    ...item,
    streamed: generation.streamed,
    cancelled: isCancelled(generation),
    request_id: detail?.request_id ?? null,
    session_id: detail?.session_id ?? null,
    upstream_id: detail?.upstream_id ?? null,
    user_agent: detail?.user_agent ?? null,
    response_cache_source_id: cacheSource ? toGenerationId(cacheSource) : null,
    error: generation.status === SUCCEEDED ? null : errorOf(detail?.provider_responses?.at(-1)),
    attempts: attempts ?? null,
    price_assumed: isPriceAssumed(detail),
    price_lines: priceLinesOf(generation),
    latency_parts: latencyPartsOf(generation),
  };
}

/** Whether the caller disconnected before the end. */
export const isCancelled = ({ status, detail }: Generation): boolean =>
  status === CALLER_LEFT || detail?.cancelled === true;

const errorOf = ({ code, message }: Partial<RecordedAttempt> = {}): CallError | null =>
  code === undefined || message === undefined ? null : { code, message };

function credentialOf({ credential }: RecordedAttempt, { credentials }: Names): AttemptCredential | null {
  if (!credentials || !credential) return null;
  const nameOf = (id: string): Pick<AttemptCredential, 'id' | 'name' | 'label'> => ({
    id,
    name: credentials.get(id)?.name ?? null,
    label: credentials.get(id)?.label ?? null,
  });
  const { id, reason, passed_over: passedOver = [] } = credential;
  return { ...nameOf(id), reason, passed_over: passedOver.map((one) => ({ ...nameOf(one.id), reason: one.reason })) };
}

const asListed = (generation: Generation): ListedCall => ({
  ...generation,
  at: generation.created_at.getTime(),
  cost: generation.cost.toString(),
  upstream_cost: generation.upstream_cost.toString(),
  // Modality numbers start at 1.
  kind: generation.modality - 1,
});

/** The recorded price lines. If none were recorded, one line with the whole price, or no line if the call was free. */
function priceLinesOf(generation: Generation): PriceLine[] {
  const recorded = generation.detail?.price_lines;
  if (recorded)
    return recorded.map(([item, quantity, price]) => ({
      item,
      quantity,
      unit_price: price,
      amount: amountOf(price, quantity),
    }));
  const { is_byok: isByok, upstream_cost: upstreamCost, cost, characters, images } = generation;
  const amount = nanoToUsd(isByok ? upstreamCost : cost);
  if (amount === 0) return [];
  const rest = { unit_price: null, amount };
  if (characters > 0) return [{ item: 'characters', quantity: characters, ...rest }];
  return [images > 0 ? { item: 'images', quantity: images, ...rest } : { item: 'call', quantity: 1, ...rest }];
}

function latencyPartsOf({ detail, latency_ms: latency, duration_ms: total }: Generation): LatencyParts {
  const before = (attemptsOf(detail) ?? []).slice(0, -1).reduce((sum, { latency_ms: ms }) => sum + ms, 0);
  const failedAttempts = Math.min(before, latency);
  return {
    failed_attempts: failedAttempts,
    first_byte: latency - failedAttempts,
    response: Math.max(0, total - latency),
    total,
  };
}
