import { hash } from 'node:crypto';
import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { ConfigValues } from '../../config/variables.js';
import type { TextMeasure } from '../../formats/measure.js';
import { withMembers } from '../../formats/text-request.js';
import type { TextRequest } from '../../formats/client-format.js';
import type { RequestBody, TextFormat } from '../../formats/vendor-text.js';
import { parseTextPreferences, type ProviderPreferences } from '../provider-preferences.js';
import type { InferenceContext, PreparedRequest } from '../task.js';
import type { AdaptedText } from '../text/adapted-text.js';
import { endUserHash } from '../text/end-user-hash.js';
import type { AdaptedTools } from '../text/tools/adapted-tools.js';
import { readVendorUse, type VendorUse } from '../text/tools/vendor-use.js';

/** A text request, with the values that the gateway's settings and the caller's key determine. */
export interface TextCall {
  readonly request: TextRequest;
  /** The model id, without the suffix that selects how its endpoints are sorted. */
  readonly model: string;
  readonly fallbackModels: readonly string[];
  readonly preferences: ProviderPreferences;
  /** The measure of the request, with the web searches that vendors may make. */
  readonly measure: TextMeasure;
  /** The features of the vendor that the request uses in addition to text generation; undefined if it uses none. */
  readonly vendorUse: VendorUse | undefined;
  /** A keyed hash of the end user's id, for vendors. */
  readonly endUser: string | undefined;
  /**
   * A hash of the workspace and the session's id. The hash is kept in memory instead of the id, which may be megabytes
   * long.
   */
  readonly session: string | undefined;
  /** The number of output tokens to reserve, and to send to the vendor as the limit, if the caller sets no limit. */
  readonly defaultMaxOutputTokens: number | undefined;
  /**
   * Whether every vendor's response is read to its end after the caller disconnected. If false, only vendors that bill
   * for the whole response are read to the end.
   */
  readonly drainsCancelled: boolean;
}

type TextSettings = Pick<ConfigValues, 'DEFAULT_MAX_OUTPUT_TOKENS' | 'DRAIN_CANCELLED'>;

/** Throws invalid_request for invalid provider preferences. */
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
    session: session ? hash('sha256', `${caller.workspaceNo}:${session}`, 'base64url') : undefined,
    defaultMaxOutputTokens: caller.defaultMaxOutputTokens ?? (settings.DEFAULT_MAX_OUTPUT_TOKENS || undefined),
    drainsCancelled: settings.DRAIN_CANCELLED,
  };
}

const fallbacksOf = (models: readonly string[], named: string): string[] =>
  models.filter((model) => model !== named).map((id) => withoutSuffix(id).model);

/** `:nitro` sorts by throughput, `:floor` by price. Other suffixes are part of the model's id. */
export function withoutSuffix(id: string): { readonly model: string; readonly sort?: 'throughput' | 'price' } {
  if (id.endsWith(':nitro')) return { model: id.slice(0, -':nitro'.length), sort: 'throughput' };
  if (id.endsWith(':floor')) return { model: id.slice(0, -':floor'.length), sort: 'price' };
  return { model: id };
}

export interface PreparedText extends PreparedRequest, AdaptedText {
  readonly prices: NonNullable<CatalogueEndpoint['tokenPrices']>;
  /** The time of the prices, in Unix milliseconds. */
  readonly at: number;
  /** The model, whose endpoints contain the prices of other tiers. */
  readonly model: CatalogueModel;
  /** Undefined if the tools are sent unchanged. */
  readonly tools: AdaptedTools | undefined;
}

/** Whether `formats` contains the request's own format. */
export const isInOneOf = (formats: readonly TextFormat[], request: TextRequest): request is TextRequest & RequestBody =>
  formats.includes(request.format.name);

/** The request for a vendor with the same format, with changed values of some members. */
export const wireRequest = <Request extends TextRequest>(request: Request): Request =>
  withMembers(request, request.replaced);

/** The request for a vendor with the same format, with the tools and settings for the endpoint. */
export function adaptedWireRequest<Request extends TextRequest>(
  request: Request,
  { tools, changes }: PreparedText,
): Request {
  const wire = wireRequest(request);
  return withMembers(tools ? withTools(wire, tools) : wire, changes.members);
}

/** The members to convert for a vendor of another format. */
export function adaptedMembers({ members }: TextRequest, { tools, changes }: PreparedText): TextRequest['members'] {
  const own = tools?.members ?? members;
  return changes.members ? { ...own, ...changes.members } : own;
}

const withTools = <Request extends TextRequest>(wire: Request, { members, rewritten }: AdaptedTools): Request => ({
  ...wire,
  members,
  rewritten: [...(wire.rewritten ?? []), ...rewritten],
});
