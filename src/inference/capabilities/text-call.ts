import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { ConfigValues } from '../../config/variables.js';
import type { TextMeasure } from '../../formats/measure.js';
import { withMembers } from '../../formats/text-request.js';
import type { TextRequest } from '../../formats/client-format.js';
import { parseTextPreferences, type ProviderPreferences } from '../provider-preferences.js';
import type { InferenceContext, PreparedRequest } from '../task.js';
import type { AdaptedText } from '../text/adapted-text.js';
import { endUserHash } from '../text/end-user-hash.js';
import type { AdaptedTools } from '../text/tools/adapted-tools.js';
import { readVendorUse, type VendorUse } from '../text/tools/vendor-use.js';

/** A request of text with what the gateway's settings and the caller's key decide about it. */
export interface TextCall {
  readonly request: TextRequest;
  /** Without the suffix that sorts its endpoints. */
  readonly model: string;
  readonly fallbackModels: readonly string[];
  readonly preferences: ProviderPreferences;
  /** With the web searches that vendors may do. */
  readonly measure: TextMeasure;
  /** Undefined = nothing beside the generation of text. */
  readonly vendorUse: VendorUse | undefined;
  /** A keyed hash of the end user's id, for vendors. */
  readonly endUser: string | undefined;
  /** Unique among all workspaces. */
  readonly session: string | undefined;
  /** Reserved, and forwarded as the bound, where the caller names none. */
  readonly defaultMaxOutputTokens: number | undefined;
  /** Whether vendors are read on after the caller left, whatever they bill. */
  readonly drainsCancelled: boolean;
}

type TextSettings = Pick<ConfigValues, 'DEFAULT_MAX_OUTPUT_TOKENS' | 'DRAIN_CANCELLED'>;

/** Throws invalid_request for provider preferences that are none. */
export function textCall(request: TextRequest, context: InferenceContext, settings: TextSettings): TextCall {
  const { caller, facts } = context;
  const { format, members, models, user = context.user } = request;
  const { model, sort } = withoutSuffix(request.model);
  const preferences = parseTextPreferences(request.provider);
  const vendorUse = readVendorUse(format.name, members);
  const webSearches = vendorUse?.searches.max;
  const session = facts?.sessionId ?? request.session;
  return {
    request,
    model,
    fallbackModels: models.length > 0 ? fallbacksOf(models, request.model) : models,
    preferences: sort && !preferences.sort ? { ...preferences, sort } : preferences,
    measure: webSearches ? { ...request.measure, webSearches } : request.measure,
    vendorUse,
    endUser: user === undefined ? undefined : endUserHash(caller.accountId, user),
    session: session ? `${caller.workspaceNo}:${session}` : undefined,
    defaultMaxOutputTokens: caller.defaultMaxOutputTokens ?? (settings.DEFAULT_MAX_OUTPUT_TOKENS || undefined),
    drainsCancelled: settings.DRAIN_CANCELLED,
  };
}

const fallbacksOf = (models: readonly string[], named: string): string[] =>
  models.filter((model) => model !== named).map((id) => withoutSuffix(id).model);

/** `:nitro` sorts by throughput, `:floor` by price; other suffixes are part of the model's id. */
function withoutSuffix(id: string): { readonly model: string; readonly sort?: 'throughput' | 'price' } {
  if (id.endsWith(':nitro')) return { model: id.slice(0, -':nitro'.length), sort: 'throughput' };
  if (id.endsWith(':floor')) return { model: id.slice(0, -':floor'.length), sort: 'price' };
  return { model: id };
}

export interface PreparedText extends PreparedRequest, AdaptedText {
  readonly prices: NonNullable<CatalogueEndpoint['tokenPrices']>;
  /** Unix milliseconds: the prices of this instant hold. */
  readonly at: number;
  /** Its endpoints have the prices of the other tiers. */
  readonly model: CatalogueModel;
  /** Undefined = the request is sent with its own tools. */
  readonly tools: AdaptedTools | undefined;
}

/** The request for a vendor of its format, which gets some members with other values. */
export const wireRequest = (request: TextRequest): TextRequest => withMembers(request, request.replaced);

/** The request for a vendor of its format, with the tools and the settings that the endpoint gets. */
export function adaptedWireRequest(request: TextRequest, { tools, changes }: PreparedText): TextRequest {
  const wire = wireRequest(request);
  return withMembers(tools ? withTools(wire, tools) : wire, changes.members);
}

/** The members that are converted for a vendor of another format. */
export function adaptedMembers({ members }: TextRequest, { tools, changes }: PreparedText): TextRequest['members'] {
  const own = tools?.members ?? members;
  return changes.members ? { ...own, ...changes.members } : own;
}

const withTools = (wire: TextRequest, { members, rewritten }: AdaptedTools): TextRequest => ({
  ...wire,
  members,
  rewritten: [...(wire.rewritten ?? []), ...rewritten],
});
