import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import type { AdapterRegistry } from '../adapter-registry.js';
import type { CredentialOwner } from '../task.js';
import { MAX_WEB_SEARCHES } from '../text/worst-case.js';
import type { TextMeasure } from '../../formats/measure.js';
import { adaptTools, type AdaptedTools } from '../text/tools/adapted-tools.js';
import type { HostedTool, VendorUse } from '../text/tools/vendor-use.js';
import { isInOneOf, wireRequest, type TextCall } from './text-call.js';

/** The tools of a request, adapted to each endpoint of its plan. */
export class EndpointTools {
  readonly #adapted = new Map<string, AdaptedTools | undefined>();
  readonly #measures = new Map<AdaptedTools, TextMeasure>();

  constructor(
    private readonly call: TextCall,
    private readonly use: VendorUse,
    private readonly adapters: AdapterRegistry,
  ) {}

  /**
   * The reason why the request cannot be sent to the endpoint with a credential of this owner. Undefined if it can be
   * sent.
   */
  unsupportedReason(endpoint: CatalogueEndpoint, model: string, owner: CredentialOwner): string | undefined {
    const isRelayed = this.#isRelayed(endpoint);
    if (this.use.refusal !== undefined && (owner === 'platform' || !isRelayed)) return this.use.refusal;
    const unserved = this.#unserved(endpoint, owner);
    const lasting = unserved.find(({ index }) => index === undefined);
    if (lasting) return reasonOf(lasting, model, isRelayed);
    if (unserved.length > 0 && !this.adapted(endpoint, owner)) return reasonOf(unserved[0]!, model, isRelayed);
    return undefined;
  }

  /** Whether some tools of the request are not sent to the endpoint. */
  leavesOut(endpoint: CatalogueEndpoint, owner: CredentialOwner): boolean {
    return this.#unserved(endpoint, owner).length > 0;
  }

  /** Undefined if the request is sent unchanged, or if it cannot be sent because no tool would remain. */
  adapted(endpoint: CatalogueEndpoint, owner: CredentialOwner): AdaptedTools | undefined {
    const { use } = this;
    const { request } = this.call;
    const isRelayed = this.#isRelayed(endpoint);
    const dropped = this.#unserved(endpoint, owner);
    const isSearching = use.searches.isUnbounded && !dropped.some(({ treatment }) => treatment === 'search');
    const searchBound = isRelayed && owner === 'platform' && isSearching ? MAX_WEB_SEARCHES : undefined;
    const hasNamespaces = isRelayed && this.adapters.text.get(endpoint.adapter!)?.hasNamespaces?.(endpoint) === true;
    const withoutNamespaces = use.hasNamespaces && !hasNamespaces;
    if (dropped.length === 0 && searchBound === undefined && !withoutNamespaces) return undefined;
    const places = dropped.map(({ index }) => index).join(',');
    const key = `${isRelayed} ${places} ${searchBound} ${withoutNamespaces}`;
    if (!this.#adapted.has(key)) {
      const body = isRelayed ? wireRequest(request).members : request.members;
      const changes = { dropped, searchBound, withoutNamespaces };
      this.#adapted.set(key, adaptTools(request.format.name, body, changes));
    }
    return this.#adapted.get(key);
  }

  /** The measure of the request without the tools that the endpoint does not serve. */
  measure(endpoint: CatalogueEndpoint, owner: CredentialOwner): TextMeasure {
    const adapted = this.adapted(endpoint, owner);
    const { request } = this.call;
    if (!adapted?.adjusted) return this.call.measure;
    let measure = this.#measures.get(adapted);
    if (!measure) {
      const isSearching = !this.#unserved(endpoint, owner).some(({ treatment }) => treatment === 'search');
      const webSearches = isSearching ? this.use.searches.max : 0;
      this.#measures.set(
        adapted,
        (measure = { ...(request.measureOf?.(adapted.members) ?? this.call.measure), webSearches }),
      );
    }
    return measure;
  }

  #unserved(endpoint: CatalogueEndpoint, owner: CredentialOwner): readonly HostedTool[] {
    if (!this.#isRelayed(endpoint)) return this.use.hosted;
    if (owner === 'caller') return NONE;
    const hasPrice = endpoint.tokenPrices?.webSearch !== undefined;
    return this.use.hosted.filter(({ treatment }) => treatment === 'refused' || (treatment === 'search' && !hasPrice));
  }

  /** Whether the endpoint receives the request in the caller's format. */
  #isRelayed(endpoint: CatalogueEndpoint): boolean {
    const adapter = this.adapters.text.get(endpoint.adapter ?? '');
    const { request } = this.call;
    if (request.format.continuesText) return adapter?.complete !== undefined;
    return adapter?.send !== undefined && isInOneOf(adapter.formatsOf(endpoint), request);
  }
}

const NONE: readonly HostedTool[] = [];

function reasonOf({ path, type, treatment, why }: HostedTool, model: string, isRelayed: boolean): string {
  const named = `${path}.type: tools of type ${type}`;
  if (treatment === 'refused') return `${named} are not available here: ${why}`;
  if (!isRelayed) return `${named} cannot be sent to the providers of "${model}"`;
  return `${named} are not available: no endpoint of "${model}" has a price for web searches`;
}
