import {
  CALL_KINDS,
  callListPlanOf,
  cursorOf,
  type CallListRequest,
  type ListedCall,
} from '../../src/usage/call-list.js';
import type { UsageReader } from '../../src/usage/query/usage-reader.port.js';
import type { RandomNumbers } from '../support/random-numbers.js';
import {
  END_USERS,
  MODELS,
  PROVIDERS,
  STATUSES,
  type SampleCall,
  type UsageSample,
} from '../support/analytics/usage-sample.js';

const PAGE = 400;

/** The matching calls of an account in order, computed without SQL. */
export function naiveList(request: CallListRequest, sample: UsageSample, accountNo: number): SampleCall[] {
  const { keyNos, workspaceNo, model, provider, externalUser, kind, status, isError, start, end } = request;
  const is = <T>(wanted: T | undefined, own: T): boolean => wanted === undefined || wanted === own;
  return sample.calls
    .filter(
      (call) =>
        call.account === accountNo &&
        (keyNos === undefined || keyNos.includes(call.key.no)) &&
        is(workspaceNo, call.workspace.no) &&
        is(model, call.model) &&
        is(provider, call.provider) &&
        is<string | null>(externalUser, call.externalUser) &&
        is(kind, CALL_KINDS[call.modality - 1]!) &&
        is(status, call.status) &&
        is(isError, call.status >= 400) &&
        (start === undefined || call.at >= Date.parse(start)) &&
        (end === undefined || call.at < Date.parse(end)),
    )
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

/** Reads all pages of a list one after the other. */
export async function everyPage(
  reader: UsageReader,
  request: CallListRequest,
  accountNo: number,
): Promise<ListedCall[]> {
  const calls: ListedCall[] = [];
  for (let cursor: string | undefined; ; cursor = cursorOf(calls.at(-1)!)) {
    const plan = callListPlanOf({ ...request, cursor }, accountNo);
    const { rows } = await reader.list(plan, new AbortController().signal);
    calls.push(...rows.slice(0, request.limit));
    if (rows.length <= request.limit) return calls;
  }
}

/** A request with about a third of the filters, whose values occur in the calls. */
export function randomList(random: RandomNumbers, { accounts, calls }: UsageSample): CallListRequest {
  const { keys, workspaces } = accounts[0]!;
  const some = <T>(value: T): T | undefined => (random.chance(0.3) ? value : undefined);
  const moment = (): string => new Date(random.pick(calls).at).toISOString();
  const [start, end] = [moment(), moment()].toSorted();
  return {
    keyNos: some([random.pick(keys).no, random.pick(keys).no].slice(0, random.int(1, 2))),
    workspaceNo: some(random.pick(workspaces).no),
    model: some(random.pick(MODELS)),
    provider: some(random.pick(PROVIDERS)),
    externalUser: some(random.pick(END_USERS) ?? undefined),
    kind: some(random.pick(CALL_KINDS)),
    status: some(random.pick(STATUSES)),
    isError: some(random.chance(0.5)),
    ...(start !== end && random.chance(0.3) ? { start, end } : {}),
    limit: random.pick([1, 7, PAGE]),
  };
}

/** The members of a listed call, from the sample. */
export const listedAs = (call: SampleCall): Partial<ListedCall> => ({
  id: call.id,
  at: call.at,
  cost: call.cost.toString(),
  upstream_cost: call.upstreamCost.toString(),
  key_no: call.key.no,
  workspace_no: call.workspace.no,
  model: call.model,
  provider: call.provider,
  external_user: call.externalUser,
  finish_reason: call.finishReason,
  tokens_prompt: call.prompt,
  tokens_completion: call.completion,
  tokens_reasoning: call.reasoning,
  tokens_cached: call.cached,
  characters: call.characters,
  images: call.images,
  latency_ms: call.latency,
  duration_ms: call.duration,
  status: call.status,
  kind: call.modality - 1,
  is_byok: call.byok,
});
