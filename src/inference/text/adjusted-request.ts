import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { ClientFormat } from '../../formats/client-format.js';
import type { TextMeasure } from '../../formats/measure.js';
import { isObject, isSet, type Members } from '../../formats/members.js';
import type { CredentialOwner } from '../task.js';

/** The differences from the caller's request at one endpoint. */
export interface AdjustedRequest {
  /** The maximum output tokens of one choice; undefined if the caller set none. */
  readonly maxOutputTokens: number | undefined;
  /** Members with changed values; a member with the value undefined is omitted. Absent if all members are unchanged. */
  readonly members?: Members;
  /** For X-Gatehouse-Adjusted; absent if nothing was changed. */
  readonly items?: readonly string[];
}

/** The properties of a request that adjustments need. */
export interface AdjustableRequest {
  readonly format: Pick<ClientFormat, 'name' | 'boundMember'>;
  readonly members: Members;
  readonly measure: Pick<TextMeasure, 'maxOutputTokens'>;
}

/** The time and the endpoint of an attempt. */
export interface AttemptTerms {
  readonly endpoint: CatalogueEndpoint;
  readonly model: CatalogueModel;
  readonly owner: CredentialOwner;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The minimum tokens that remain for the response itself when a thinking budget is lowered. */
const MIN_RESPONSE_TOKENS = 1_024;
/** The minimum thinking budget that vendors accept. */
const MIN_BUDGET_TOKENS = 1_024;
/**
 * A call with the caller's own credential is adapted to an endpoint's maximum output only if the maximum was read at
 * most this long ago. The vendor may have raised an older maximum since.
 */
const MAX_CEILING_AGE_MS = 30 * 24 * 60 * 60 * 1_000;
/** The members that limit thinking, in the formats of clients and of vendors. */
const BUDGETS = [
  ['thinking', 'budget_tokens'],
  ['reasoning', 'max_tokens'],
] as const;
const FLAT_BUDGET = 'thinking_budget';

/**
 * Adapts a request to the endpoint's maximum output, and omits `store: true` (docs/api-rules.md, section 15). Returns
 * the reason as a string if the request cannot be adapted.
 */
export function adjustRequest(request: AdjustableRequest, terms: AttemptTerms): AdjustedRequest | string {
  const { maxOutputTokens } = request.measure;
  const ceiling = ceilingOf(terms);
  const isLowered = ceiling !== undefined && maxOutputTokens !== undefined && maxOutputTokens > ceiling;
  const budgets = ceiling === undefined ? undefined : loweredBudgets(request, ceiling, isLowered, terms.model.id);
  if (typeof budgets === 'string') return budgets;
  const isStored = terms.owner === 'platform' && request.format.name === 'chat' && asksToStore(request.members);
  if (!isLowered && !budgets && !isStored) return { maxOutputTokens };
  const items = [
    ...(isLowered ? [`max_tokens=${ceiling}`] : []),
    // If the maximum output is lowered too, the item `max_tokens` already implies the maximum budget.
    ...(budgets && !isLowered ? [`thinking_budget=${ceiling! - MIN_RESPONSE_TOKENS}`] : []),
    ...(isStored ? ['store=false'] : []),
  ];
  return {
    maxOutputTokens: isLowered ? ceiling : maxOutputTokens,
    ...(budgets || isStored ? { members: { ...budgets, ...(isStored ? { store: undefined } : {}) } } : {}),
    items,
  };
}

/** Maximum output tokens of the endpoint; undefined if unknown, or too uncertain to change a request. */
function ceilingOf({ endpoint, model, owner, at }: AttemptTerms): number | undefined {
  if (owner === 'platform') return endpoint.maxCompletionTokens ?? model.maxCompletionTokens ?? undefined;
  const isCurrent = endpoint.readOn !== undefined && at - Date.parse(endpoint.readOn) <= MAX_CEILING_AGE_MS;
  return isCurrent ? endpoint.maxCompletionTokens : undefined;
}

/**
 * Lowers thinking budgets that leave too few tokens for the response. Returns the changed members, or the reason as a
 * string if the minimum budget does not fit; undefined if nothing changes.
 */
function loweredBudgets(
  { members, format: { boundMember } }: AdjustableRequest,
  ceiling: number,
  isBoundLowered: boolean,
  modelId: string,
): Members | string | undefined {
  const max = ceiling - MIN_RESPONSE_TOKENS;
  const isAbove = (budget: unknown): budget is number =>
    typeof budget === 'number' && (budget > ceiling || (isBoundLowered && budget > max && max >= MIN_BUDGET_TOKENS));
  let changed: Record<string, unknown> | undefined;
  for (const [name, inner] of BUDGETS) {
    const settings = members[name];
    if (!isObject(settings) || settings['type'] === 'disabled' || !isAbove(settings[inner])) continue;
    if (max < MIN_BUDGET_TOKENS) return tooSmall(`${name}.${inner}`, settings[inner], ceiling, modelId, boundMember);
    changed = { ...changed, [name]: { ...settings, [inner]: max } };
  }
  const flat = members[FLAT_BUDGET];
  if (!isAbove(flat)) return changed;
  return max < MIN_BUDGET_TOKENS
    ? tooSmall(FLAT_BUDGET, flat, ceiling, modelId, boundMember)
    : { ...changed, [FLAT_BUDGET]: max };
}

const tooSmall = (name: string, budget: number, ceiling: number, modelId: string, boundMember: string): string =>
  `${name} is ${budget}: ${modelId} generates at most ${ceiling} tokens (${boundMember}), and ${MIN_RESPONSE_TOKENS} ` +
  `of them are for the response, which leaves less than the minimum budget of ${MIN_BUDGET_TOKENS}`;

/** Whether the request asks the vendor to store the response. Some servers ignore the case of names. */
const asksToStore = (members: Members): boolean =>
  Object.keys(members).some((name) => {
    const value = members[name];
    return (name === 'store' || name.toLowerCase() === 'store') && isSet(value) && value !== false;
  });
