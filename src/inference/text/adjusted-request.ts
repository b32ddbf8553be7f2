import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { isObject, isSet, type Members } from '../../formats/members.js';
import type { TextFormat } from '../../formats/vendor-text.js';
import type { CredentialOwner } from '../task.js';

/** The differences from the caller's request at one endpoint. */
export interface AdjustedRequest {
  /** The bound of output tokens of one choice; undefined = the caller named none. */
  readonly maxOutputTokens: number | undefined;
  /** Members of the request with another value; undefined = left out. Absent = all are as they arrived. */
  readonly members?: Members;
  /** For X-Gatehouse-Adjusted; absent = nothing differs. */
  readonly items?: readonly string[];
}

/** A request as the adjustments read it. */
export interface AdjustableRequest {
  readonly format: TextFormat;
  readonly members: Members;
  readonly maxOutputTokens: number | undefined;
  /** The member that bounds the output. */
  readonly boundMember: string;
}

/** The instant and the place of an attempt. */
export interface AttemptTerms {
  readonly endpoint: CatalogueEndpoint;
  readonly model: CatalogueModel;
  readonly owner: CredentialOwner;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Tokens of a lowered bound that remain for the response itself, and the least budget that vendors accept. */
const MIN_RESPONSE_TOKENS = 1_024;
const MIN_BUDGET_TOKENS = 1_024;
/** On a caller's own credential, a ceiling that was read longer ago may have been raised since. */
const MAX_CEILING_AGE_MS = 30 * 24 * 60 * 60 * 1_000;
/** The members that bound thinking, in the formats of clients and of vendors. */
const BUDGETS = [
  ['thinking', 'budget_tokens'],
  ['reasoning', 'max_tokens'],
] as const;
const FLAT_BUDGET = 'thinking_budget';

/** Adapts a request to what an endpoint can generate (docs/api-rules.md, section 15); a text = why it cannot. */
export function adjustRequest(request: AdjustableRequest, terms: AttemptTerms): AdjustedRequest | string {
  const { maxOutputTokens } = request;
  const ceiling = ceilingOf(terms);
  const isLowered = ceiling !== undefined && maxOutputTokens !== undefined && maxOutputTokens > ceiling;
  const budgets = ceiling === undefined ? undefined : loweredBudgets(request, ceiling, isLowered, terms.model.id);
  if (typeof budgets === 'string') return budgets;
  const isStored = terms.owner === 'platform' && request.format === 'chat' && asksToStore(request.members);
  if (!isLowered && !budgets && !isStored) return { maxOutputTokens };
  const items = [
    ...(isLowered ? [`max_tokens=${ceiling}`] : []),
    // Where the bound is lowered as well, it says what the budget is at most.
    ...(budgets && !isLowered ? [`thinking_budget=${ceiling! - MIN_RESPONSE_TOKENS}`] : []),
    ...(isStored ? ['store=false'] : []),
  ];
  return {
    maxOutputTokens: isLowered ? ceiling : maxOutputTokens,
    ...(budgets || isStored ? { members: { ...budgets, ...(isStored ? { store: undefined } : {}) } } : {}),
    items,
  };
}

/** The most output tokens of the endpoint; undefined = unknown, or not certain enough to change a request. */
function ceilingOf({ endpoint, model, owner, at }: AttemptTerms): number | undefined {
  if (owner === 'platform') return endpoint.maxCompletionTokens ?? model.maxCompletionTokens ?? undefined;
  const isCurrent = endpoint.readOn !== undefined && at - Date.parse(endpoint.readOn) <= MAX_CEILING_AGE_MS;
  return isCurrent ? endpoint.maxCompletionTokens : undefined;
}

/** The members whose budget of thinking leaves the response too little. */
function loweredBudgets(
  { members, boundMember }: AdjustableRequest,
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
  `${name} is ${budget}: ${modelId} generates at most ${ceiling} tokens, which leaves no budget of at least ` +
  `${MIN_BUDGET_TOKENS} beside ${MIN_RESPONSE_TOKENS} of ${boundMember} for the response`;

/** Some servers match names without regard to case. */
const asksToStore = (members: Members): boolean =>
  Object.keys(members).some((name) => {
    const value = members[name];
    return (name === 'store' || name.toLowerCase() === 'store') && isSet(value) && value !== false;
  });
