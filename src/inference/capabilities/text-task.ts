import { setImmediate } from 'node:timers/promises';
import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type { Conversation } from '../../formats/conversation.js';
import type { TextAdapter } from '../../providers/ports/text-adapter.port.js';
import type { TextRequest } from '../../formats/client-format.js';
import type { TextFormat } from '../../formats/vendor-text.js';
import type { AdapterRegistry } from '../adapter-registry.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type { Attempt, Charge, CredentialOwner, PlannedEndpoint, ResponseEnd, UnsupportedReason } from '../task.js';
import { adaptText, type AdaptedText } from '../text/adapted-text.js';
import { explainRefusal } from '../text/explain-refusal.js';
import { chargeText } from '../text/text-charge.js';
import { measuredTokens } from '../../formats/measure.js';
import { lackedSetting } from '../text/lacked-settings.js';
import { pricesOfTier, servesTier } from '../text/service-tiers.js';
import type { TokenCounter } from '../text/token-counter.js';
import { EndpointTools } from './endpoint-tools.js';
import { adaptedMembers, adaptedWireRequest, isInOneOf, type PreparedText, type TextCall } from './text-call.js';
import { settled, type BillableText } from './text-bill.js';
import type { ResponseContext } from './text-response.js';

class Adaptations extends Map<CatalogueEndpoint, AdaptedText | string> {}

const MAX_BYTES_AT_ONCE = 65_536;
/** The formats in which requests may continue a text. */
const CONTINUED: readonly TextFormat[] = ['chat'];

/** The common part of complete and streamed calls: selection of endpoints, reservation, sending, charge. */
export abstract class TextTask<Response extends BillableText> {
  readonly capability = 'chat';
  /** Nothing is sent before an attempt has succeeded. */
  readonly isCommitted = false;
  /** The time of the prices for the whole call. */
  readonly #at = Date.now();
  readonly #adaptations = { platform: new Adaptations(), caller: new Adaptations() };
  readonly #tools: EndpointTools | undefined;
  /** The conversations, by the members that were converted: the request's own members, or adapted copies. */
  readonly #conversations = new Map<object, Conversation>();
  readonly #refusals = new Map<object, string | undefined>();

  constructor(
    protected readonly text: TextCall,
    private readonly adapters: AdapterRegistry,
    private readonly counter: TokenCounter,
  ) {
    const { vendorUse } = text;
    this.#tools = vendorUse && new EndpointTools(text, vendorUse, adapters);
  }

  protected get request(): TextRequest {
    return this.text.request;
  }

  get format(): TextFormat {
    return this.request.format.name;
  }

  get model(): string {
    return this.text.model;
  }

  get fallbackModels(): readonly string[] {
    return this.text.fallbackModels;
  }

  get preferences(): ProviderPreferences {
    return this.text.preferences;
  }

  get session(): string | undefined {
    return this.text.session;
  }

  get promptTokens(): number {
    return measuredTokens(this.text.measure);
  }

  promptMembers(): TextRequest['members'] {
    return this.request.members;
  }

  unsupportedReason(
    endpoint: CatalogueEndpoint,
    model: CatalogueModel,
    owner: CredentialOwner,
  ): UnsupportedReason | undefined {
    const { format, modalities, serviceTier } = this.request;
    const missing = modalities.find((modality) => !model.inputModalities.includes(modality));
    if (missing !== undefined) return { unfit: `No endpoint of "${model.id}" supports input of type ${missing}` };
    if (!servesTier(endpoint, model, serviceTier))
      return { unfit: `No endpoint of "${model.id}" serves the tier of this request` };
    const lacked = this.preferences.requireParameters && this.#lackedParameter(endpoint, model);
    if (lacked)
      return { unfit: `No endpoint of "${model.id}" supports ${lacked}, and provider.require_parameters is true` };
    if (format.continuesText && !this.adapters.text.get(endpoint.adapter ?? '')?.completes?.(endpoint))
      return { unfit: `No endpoint of "${model.id}" continues a text: use /chat/completions` };
    if (!endpoint.tokenPrices) return { unfit: `No endpoint of "${model.id}" is priced by tokens` };
    const refusal = this.#tools?.unsupportedReason(endpoint, model.id, owner);
    if (refusal !== undefined) return refusal;
    const adapted = this.#adapted(endpoint, model, owner);
    return typeof adapted === 'string' ? adapted : this.#formatReason(endpoint, model, owner);
  }

  /** The name of a parameter or setting of the request that the endpoint does not support. */
  #lackedParameter(endpoint: CatalogueEndpoint, model: CatalogueModel): string | undefined {
    const { parameters, serviceTier, members } = this.request;
    if (serviceTier !== undefined && endpoint.serviceTier === undefined) return 'service_tier';
    const formats = this.adapters.text.get(endpoint.adapter ?? '')?.formatsOf(endpoint) ?? [];
    const sent = formats.find((format) => format === this.format) ?? (formats.includes('chat') ? 'chat' : formats[0]);
    return (
      parameters().find((name) => !takesParameter(endpoint, model, name)) ?? lackedSetting(this.format, sent, members)
    );
  }

  /** The reason why the request cannot be sent in any format of the endpoint. */
  #formatReason(
    endpoint: CatalogueEndpoint,
    { id }: CatalogueModel,
    owner: CredentialOwner,
  ): UnsupportedReason | undefined {
    const { operation, members, conversionRefusal } = this.request;
    if (!conversionRefusal) return undefined;
    const adapter = this.adapters.text.get(endpoint.adapter ?? '');
    const isRelayed = adapter?.send !== undefined && isInOneOf(adapter.formatsOf(endpoint), this.request);
    if (operation !== undefined && !(isRelayed && adapter.operationsOf?.(endpoint).includes(operation)))
      return { unfit: `No endpoint of "${id}" supports this operation` };
    if (isRelayed) return undefined;
    const converted = this.#tools?.adapted(endpoint, owner)?.members ?? members;
    if (!this.#refusals.has(converted)) this.#refusals.set(converted, conversionRefusal(converted));
    return this.#refusals.get(converted);
  }

  leavesOut(endpoint: CatalogueEndpoint, owner: CredentialOwner): boolean {
    return this.#tools?.leavesOut(endpoint, owner) ?? false;
  }

  prepare(endpoint: CatalogueEndpoint, _: unknown, model: CatalogueModel, owner: CredentialOwner): PreparedText {
    const { worst, changes } = this.#adapted(endpoint, model, owner) as AdaptedText;
    const tools = this.#tools?.adapted(endpoint, owner);
    const items = [...(changes.items ?? []), ...(tools?.adjusted ?? [])];
    const adjusted = items.length > 0 ? items : undefined;
    const prices = endpoint.tokenPrices!;
    return { worst, changes, worstCase: worst.price, prices, at: this.#at, model, tools, adjusted };
  }

  #adapted(endpoint: CatalogueEndpoint, model: CatalogueModel, owner: CredentialOwner): AdaptedText | string {
    const known = this.#adaptations[owner].get(endpoint);
    if (known !== undefined) return known;
    const { format, members } = this.request;
    const { defaultMaxOutputTokens } = this.text;
    const measure = this.#tools?.measure(endpoint, owner) ?? this.text.measure;
    const request = { format, members, measure, defaultMaxOutputTokens };
    const adapted = adaptText(request, { endpoint, model, owner, at: this.#at });
    this.#adaptations[owner].set(endpoint, adapted);
    return adapted;
  }

  protected adapterOf({ adapter }: CatalogueEndpoint): TextAdapter {
    // The plan contains only endpoints whose adapter is registered.
    return this.adapters.text.get(adapter!)!;
  }

  protected contextOf({
    planned: { endpoint, model, prepared },
    generationId,
  }: Attempt<PreparedText>): ResponseContext {
    const { format, excludesReasoning = false, measure, members } = this.request;
    const toolNames = prepared.tools?.toolNames;
    const options = { excludesReasoning, choices: measure.choices, request: members, toolNames };
    const created = Math.floor(Date.now() / 1_000);
    return { format, options, head: { id: generationId, model, provider: endpoint.providerName, created } };
  }

  /** Calls the endpoint in the client's format if the endpoint supports it; otherwise in the canonical form. */
  protected async call<Result>(
    { planned: { endpoint, prepared }, endpointCall, isByok }: Attempt<PreparedText>,
    { signal, streamed }: { readonly signal: AbortSignal; readonly streamed: boolean },
    read: {
      readonly wire: (response: Awaited<ReturnType<NonNullable<TextAdapter['send']>>>) => Result;
      readonly conversation: (response: Awaited<ReturnType<NonNullable<TextAdapter['converse']>>>) => Result;
    },
  ): Promise<Awaited<Result>> {
    const adapter = this.adapterOf(endpoint);
    const { request } = this;
    const { format, measure } = request;
    const { endUser } = this.text;
    const { maxOutputTokens = prepared.worst.addedMaxTokens } = prepared.changes;
    const { serviceTier } = endpoint;
    const reservedOutputTokens = prepared.worst.outputTokens;
    const mayHoldMedia =
      measure.imageOutput || measure.audioOutput || prepared.model.outputModalities.some((kind) => kind !== 'text');
    const terms = { maxOutputTokens, reservedOutputTokens, endUser, serviceTier, isOwnAccount: isByok, mayHoldMedia };
    const call = { ...endpointCall, signal, streamed, ...terms };
    if (format.continuesText && adapter.complete && isInOneOf(CONTINUED, request))
      return await read.wire(await adapter.complete({ ...call, request: adaptedWireRequest(request, prepared) }));
    if (!format.continuesText && adapter.send && isInOneOf(adapter.formatsOf(endpointCall), request))
      return await read.wire(await adapter.send({ ...call, request: adaptedWireRequest(request, prepared) }));
    if (!adapter.converse) throw new GatewayError('provider_failed', 'The endpoint does not support this format');
    const members = adaptedMembers(request, prepared);
    let conversation = this.#conversations.get(members);
    if (!conversation) {
      // For a large body, measuring and reading each take tens of milliseconds, so do them in two turns of the event
      // loop.
      if (request.bytes.length > MAX_BYTES_AT_ONCE) await setImmediate();
      this.#conversations.set(members, (conversation = format.readConversation(members)));
    }
    return await read.conversation(await adapter.converse({ ...call, conversation }));
  }

  explain(error: unknown, { prepared }: PlannedEndpoint<PreparedText>): unknown {
    return explainRefusal(error, prepared.worst, this.request.format.boundMember);
  }

  generatedTexts({ text }: Response): readonly string[] {
    return text.report.progress.text();
  }

  charge(
    { planned: { endpoint, prepared }, isByok }: Attempt<PreparedText>,
    response: Response,
    { isWhole, excessFactor }: ResponseEnd,
  ): Charge | Promise<Charge> {
    const { worst, model, at } = prepared;
    const { report } = response.text;
    const prices = pricesOfTier(endpoint, model, report.serviceTier()) ?? prepared.prices;
    const charge = chargeText(
      {
        report: report.usage(),
        isWhole,
        sawOutput: report.progress.sawOutput,
        promptTexts: () => this.request.format.textsOf(this.request.members),
        completionTexts: () => report.progress.text(),
      },
      { prices, at, worstCase: worst, excessFactor, isOwnAccount: isByok },
      this.counter,
    );
    return settled(charge, response, this.text.measure);
  }
}

/**
 * Whether a parameter is supported. Uses the model's list of parameters only if the endpoint has no list of its own.
 */
function takesParameter({ supportedParameters: own }: CatalogueEndpoint, model: CatalogueModel, name: string): boolean {
  for (const _ in own) return Object.hasOwn(own, name);
  return model.supportedParameters.includes(name);
}
