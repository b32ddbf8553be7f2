import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import type { WireRequest } from '../../formats/vendor-text.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type { PreparedRequest } from '../task.js';
import type { AdaptedText } from '../text/adapted-text.js';
import { withMembers } from '../text/adjusted-request.js';
import type { ClientFormat, ResponseOptions } from '../../formats/client-format.js';
import type { TextMeasure } from '../../formats/measure.js';
import type { AdaptedTools } from '../text/tools/adapted-tools.js';
import type { VendorUse } from '../text/tools/vendor-use.js';

/** A request of text in one of the client formats, read and validated. */
export interface TextRequest {
  readonly format: ClientFormat;
  readonly model: string;
  readonly fallbackModels: readonly string[];
  /** For vendors that speak the format. */
  readonly wire: WireRequest;
  /** All members of the request as it arrived, for all others. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly measure: TextMeasure;
  readonly preferences: ProviderPreferences;
  /** Members of the request that an endpoint may lack, for `require_parameters`. */
  readonly parameters: () => readonly string[];
  /** Input modalities that the model must take, beside text. */
  readonly modalities: readonly string[];
  readonly options: ResponseOptions;
  /** Measures it with other members. */
  readonly measureOf: (members: WireRequest['members']) => TextMeasure;
  /** Undefined = nothing beside the generation of text. */
  readonly vendorUse: VendorUse | undefined;
  /** Why a request can be sent to no vendor of another format; undefined where it can. */
  readonly conversionRefusal?: (members: WireRequest['members']) => string | undefined;
  /** The tier that the request names. */
  readonly serviceTier?: string;
  /** A keyed hash of the end user's id, for vendors. */
  readonly endUser?: string;
  /** Unique among all workspaces. */
  readonly session?: string;
  /** Reserved, and forwarded as the bound, where the caller names none. */
  readonly defaultMaxOutputTokens?: number;
  /** Whether vendors are read on after the caller left, whatever they bill. */
  readonly drainsCancelled: boolean;
}

export interface PreparedText extends PreparedRequest, AdaptedText {
  readonly prices: NonNullable<CatalogueEndpoint['tokenPrices']>;
  /** Unix milliseconds: the prices of this instant hold. */
  readonly at: number;
  /** The prices of other tiers are those of its endpoints. */
  readonly model: CatalogueModel;
  /** Undefined = the request is sent with its own tools. */
  readonly tools: AdaptedTools | undefined;
}

/** The request with the tools and the settings that the endpoint gets. */
export function adaptedRequest(
  request: TextRequest,
  { tools, changes }: Pick<PreparedText, 'tools' | 'changes'>,
): Pick<TextRequest, 'wire' | 'members'> {
  const { wire, members } = tools ? withTools(request, tools) : request;
  const changed = changes.members;
  return { members: changed ? { ...members, ...changed } : members, wire: withMembers(wire, changed) };
}

function withTools({ wire }: TextRequest, { members, rewritten }: AdaptedTools): Pick<TextRequest, 'wire' | 'members'> {
  return { members, wire: { ...wire, members, rewritten: [...(wire.rewritten ?? []), ...rewritten] } };
}
