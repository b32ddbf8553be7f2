import type { CatalogueEndpoint, CatalogueModel } from '../catalogue/catalogue-model.js';
import type { UsageAnomaly } from '../billing/bill.js';
import type { StartedBytes } from '../billing/started-bytes.js';
import type { Channel } from '../channels/channel.js';
import type { CacheUse } from '../kernel/cache-use.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';
import type { FinishReason } from '../formats/conversation.js';
import type { EndpointCall } from '../providers/ports/endpoint-call.js';
import type { Members } from '../formats/members.js';
import type { TextFormat } from '../formats/vendor-text.js';
import type { CallFacts, CredentialChoice } from '../kernel/call-facts.js';
import type { UsableCredential } from '../secrets/credential-directory.js';
import type { Modality } from '../usage/generation-record.js';
import type { RemainingRates } from '../rate-limits/remaining-rate.js';
import type { ProviderPreferences } from './provider-preferences.js';

/** Everything about a call that is not the request itself. */
export interface InferenceContext {
  readonly caller: Principal;
  /** Where the call came from, for the audit record of a credential that it uses. */
  readonly place?: CallerPlace;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** The end user's tracking id: `user` of the body, else from a header that the key trusts. */
  readonly user?: string;
  /** The session of the call, by `session_id` or a header. */
  readonly session?: string;
  /** The most that the session may spend, by a header. */
  readonly sessionLimit?: Nano;
  /** From `metadata.tags` or a header; absent = none. */
  readonly tags?: readonly string[];
  /** The calling application's name and site, from its headers. */
  readonly app?: string;
  readonly origin?: string;
  /** Facts of the caller that are recorded without being labels. */
  readonly facts?: CallFacts;
  /** Whether the response names the credential that served. */
  readonly namesChannel?: boolean;
  /** Absent = the call does not use the response cache. */
  readonly cache?: CacheUse;
  /** Called with what is left of the rate limits that the call counts in, before its response begins. */
  readonly onRates?: (left: RemainingRates) => void;
  /** Called with what the call is billed by, before it is settled. */
  readonly onCharge?: (attempt: Attempt, charge: Charge) => void;
}

/** Passthrough options for one provider. */
export type Options = Readonly<Record<string, unknown>>;

/** Whole numbers, never negative. */
export interface TokenCounts {
  readonly prompt: number;
  /** The part of `prompt` that pictures took; undefined = not reported. */
  readonly promptImage?: number;
  /** The part of `prompt` that audio took; undefined = not reported. */
  readonly promptAudio?: number;
  readonly completion: number;
  /** The part of `completion` that was reasoning; absent = unknown or none. */
  readonly reasoning?: number;
  /** The part of `prompt` that was read from a cache; absent = unknown or none. */
  readonly cached?: number;
}

/** The output of a call, counted by the gateway itself. */
export interface Output {
  readonly images?: number;
  readonly characters?: number;
  /** Output tokens as far as the vendor reports them, else an estimate: for the throughput of its endpoint only. */
  readonly outputTokens?: number;
}

/** The usage of a call. */
export interface Usage extends Output {
  readonly tokens: TokenCounts;
  /** Seconds of transcribed audio. */
  readonly seconds?: number;
  /** Search units of ranked documents. */
  readonly searchUnits?: number;
}

/** A text is the caller's mistake (400); `unfit` is a property of the model's endpoints (404). */
export type UnsupportedReason = string | { readonly unfit: string };

/** A request adapted to one endpoint. */
export interface PreparedRequest {
  /** The most that it can cost: what is reserved. */
  readonly worstCase: Nano;
  /** Its changes, as `name=value`, for X-Gatehouse-Adjusted; absent = none. */
  readonly adjusted?: readonly string[];
}

/** Who owns the credential of an attempt. */
export type CredentialOwner = 'platform' | 'caller';

/** One attempt that a call may make, with everything that depends on the endpoint. */
export interface PlannedEndpoint<Prepared extends PreparedRequest = PreparedRequest> {
  readonly endpoint: CatalogueEndpoint;
  /** The id of the endpoint's model: the task's model or one of its fallbacks. */
  readonly model: string;
  /** The caller's options for this provider, reduced to the names that the endpoint allows. */
  readonly options: Options;
  readonly prepared: Prepared;
  /** The platform's credential; absent = the caller's own is used. */
  readonly channel?: Channel;
  /** Why that credential was chosen; absent = it is the only one. */
  readonly choice?: CredentialChoice;
  /** The caller's own credential for this attempt; its secret is read only when the attempt is made. */
  readonly own?: UsableCredential;
}

/** An attempt under way, as a task sees it. */
export interface Attempt<Prepared extends PreparedRequest = PreparedRequest> {
  readonly planned: PlannedEndpoint<Prepared>;
  /** The public id of the generation. */
  readonly generationId: string;
  /** Whether the caller's own credential is used: the call then costs no credits. */
  readonly isByok: boolean;
  /** The members that every adapter's call has. */
  readonly endpointCall: EndpointCall;
  /** To be called when the first byte of the vendor's response is here; further calls have no effect. */
  firstByte(): void;
}

/** The usage and price that a call is billed by. */
export interface Charge {
  readonly usage: Usage;
  /** The charge to the owner of the credential. */
  readonly price: Nano;
  /** The part of `price` for what was sent. */
  readonly promptPrice?: Nano;
  readonly anomaly?: UsageAnomaly;
  readonly finishReason?: FinishReason;
  /** Recorded of text calls beside their usage. */
  readonly facts?: CallFacts;
}

/** How a response ended. */
export interface ResponseEnd {
  /** False where the caller left after the first byte. */
  readonly isWhole: boolean;
  /** How many times the worst case a vendor's report may come to before it is not believed: 1 unless `isAlone`. */
  readonly excessFactor: number;
  /** See OpenCall. */
  readonly isAlone: boolean;
}

/** An endpoint's response, as a task presents it to the pipeline. */
export interface TaskResponse {
  readonly output: Output;
  /** Whether the caller gets the response as it comes. */
  readonly streamed: boolean;
}

/** A response that is held completely. */
export interface CompleteResponse<Content> extends TaskResponse {
  readonly content: Content;
}

/** A response of bytes that has begun: its first piece is held. */
export interface ByteStreamResponse extends TaskResponse, StartedBytes {}

/**
 * One request for one capability. The pipeline (call.ts) uses capabilities only through this interface; capabilities/
 * has one implementation for each.
 */
export interface Task<Response extends TaskResponse, Prepared extends PreparedRequest = PreparedRequest> {
  readonly capability: Modality;
  /** Of text: the format of the request. A name without an author is looked up at vendors of this format first. */
  readonly format?: TextFormat;
  /** A slug, or another name of a model (ModelNames). */
  readonly model: string;
  /** Models to fall back to, in their order. */
  readonly fallbackModels?: readonly string[];
  readonly preferences: ProviderPreferences;
  /** Whether the caller requested a stream. */
  readonly wantsStream: boolean;
  /** Whether part of the response has been sent to the caller: there is no further attempt then. */
  readonly isCommitted: boolean;
  /** The tokens of the prompt by measure, for limits of tokens; absent = they are known at the end only. */
  readonly promptTokens?: number;
  /** The conversation that the request continues: its endpoints are reused. */
  readonly session?: string;
  /** Why an endpoint cannot take the request, by its data and never by its name; undefined where it can. */
  unsupportedReason(
    endpoint: CatalogueEndpoint,
    model: CatalogueModel,
    owner: CredentialOwner,
  ): UnsupportedReason | undefined;
  /** Whether the endpoint gets the request without a part of it: others of its model come first. Absent = none does. */
  leavesOut?(endpoint: CatalogueEndpoint, owner: CredentialOwner): boolean;
  /** Adapts the request to an endpoint that can take it. Called once for each endpoint and owner of a plan. */
  prepare(endpoint: CatalogueEndpoint, options: Options, model: CatalogueModel, owner: CredentialOwner): Prepared;
  /** The members of the request that the model reads, for traces and exports that contain texts. */
  asked?(): Members;
  /** The generated text of each choice, for the same. */
  answered?(response: Response): readonly string[];
  /** Fetches what the request names by URL: once, after the reservation. Undefined where there is nothing to fetch. */
  load?(signal: AbortSignal): Promise<void> | undefined;
  /**
   * Calls the endpoint. Resolves when enough of the response is held to send the caller a status. `lasts` takes the end
   * of a response that has only begun: the health of the endpoint depends on it.
   */
  invoke(attempt: Attempt<Prepared>, lasts: (end: Promise<void>) => void): Promise<Response>;
  /** A refusal of the reservation in words that help this caller. */
  explain?(error: unknown, planned: PlannedEndpoint<Prepared>): unknown;
  /** The charge for the response; a promise where something has to be counted first. */
  charge(attempt: Attempt<Prepared>, response: Response, end: ResponseEnd): Charge | Promise<Charge>;
}
