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

/** Everything about a call except the request itself. */
export interface InferenceContext {
  readonly caller: Principal;
  /** The origin of the call, for the audit record of a credential that it uses. */
  readonly place?: CallerPlace;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The end user's tracking id: `user` of the body, otherwise from a header that the key trusts. */
  readonly user?: string;
  /** The session of the call, from `session_id` or a header. */
  readonly session?: string;
  /** The maximum spend of the session, from a header. */
  readonly sessionLimit?: Nano;
  /** From `metadata.tags` or a header; absent = none. */
  readonly tags?: readonly string[];
  /** The name of the calling application, from its headers. */
  readonly app?: string;
  /** The site of the calling application, from its headers. */
  readonly origin?: string;
  /** Facts about the caller that are recorded but are not labels. */
  readonly facts?: CallFacts;
  /** Whether the response names the credential that served the call. */
  readonly namesChannel?: boolean;
  /** Absent = the call does not use the response cache. */
  readonly cache?: CacheUse;
  /** Called before the response starts, with the remaining rate limits for the call. */
  readonly onRates?: (left: RemainingRates) => void;
  /** Called before the call is settled, with the charge. */
  readonly onCharge?: (attempt: Attempt, charge: Charge) => void;
}

/** Passthrough options for one provider. */
export type Options = Readonly<Record<string, unknown>>;

/** Whole numbers of at least 0. */
export interface TokenCounts {
  readonly prompt: number;
  /** The part of `prompt` for pictures; undefined = not reported. */
  readonly promptImage?: number;
  /** The part of `prompt` for audio; undefined = not reported. */
  readonly promptAudio?: number;
  readonly completion: number;
  /** The part of `completion` for reasoning; absent = unknown or none. */
  readonly reasoning?: number;
  /** The part of `prompt` that was read from a cache; absent = unknown or none. */
  readonly cached?: number;
}

/** The output of a call. The gateway counts images and characters itself. */
export interface Output {
  readonly images?: number;
  readonly characters?: number;
  /** Output tokens from the vendor's report, or an estimate. Used only for the throughput of the endpoint. */
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

/** A string describes the caller's mistake (400); `unfit` describes a property of the model's endpoints (404). */
export type UnsupportedReason = string | { readonly unfit: string };

/** A request adapted to one endpoint. */
export interface PreparedRequest {
  /** The maximum cost, which is reserved. */
  readonly worstCase: Nano;
  /** The changes to the request, as `name=value`, for X-Gatehouse-Adjusted; absent = none. */
  readonly adjusted?: readonly string[];
}

/** The owner of the credential of an attempt. */
export type CredentialOwner = 'platform' | 'caller';

/** A possible attempt of a call, with everything that depends on the endpoint. */
export interface PlannedEndpoint<Prepared extends PreparedRequest = PreparedRequest> {
  readonly endpoint: CatalogueEndpoint;
  /** The id of the endpoint's model: the task's model or one of its fallbacks. */
  readonly model: string;
  /** The caller's options for this provider, reduced to the names that the endpoint allows. */
  readonly options: Options;
  readonly prepared: Prepared;
  /** The platform's credential; absent = the caller's own credential is used. */
  readonly channel?: Channel;
  /** Why `channel` was chosen; absent = there is no other credential. */
  readonly choice?: CredentialChoice;
  /** The caller's own credential for this attempt. Its secret is read only when the attempt starts. */
  readonly own?: UsableCredential;
}

/** A running attempt, as used by a task. */
export interface Attempt<Prepared extends PreparedRequest = PreparedRequest> {
  readonly planned: PlannedEndpoint<Prepared>;
  /** The public id of the generation. */
  readonly generationId: string;
  /** Whether the caller's own credential is used. If so, the call costs no credits. */
  readonly isByok: boolean;
  /** The arguments of the call that are the same for all adapters. */
  readonly endpointCall: EndpointCall;
  /** Call it when the first byte of the vendor's response has arrived; further calls have no effect. */
  firstByte(): void;
}

/** The usage and price by which a call is billed. */
export interface Charge {
  readonly usage: Usage;
  /** The charge to the owner of the credential. */
  readonly price: Nano;
  /** The part of `price` for the input. */
  readonly promptPrice?: Nano;
  readonly anomaly?: UsageAnomaly;
  readonly finishReason?: FinishReason;
  /** Facts that the record of a text call contains besides its usage. */
  readonly facts?: CallFacts;
}

/** How a response ended. */
export interface ResponseEnd {
  /** Whether the vendor's response was read to its end, even if the caller disconnected. */
  readonly isWhole: boolean;
  /** The multiple of the worst case up to which a vendor's report is accepted: 1 unless `isAlone`. */
  readonly excessFactor: number;
  /** See OpenCall. */
  readonly isAlone: boolean;
}

/** An endpoint's response, as a task passes it to the pipeline. */
export interface TaskResponse {
  readonly output: Output;
  /** Whether the caller gets the response as it arrives. */
  readonly streamed: boolean;
}

/** A response that is completely in memory. */
export interface CompleteResponse<Content> extends TaskResponse {
  readonly content: Content;
}

/** A response of bytes that has started. Its first piece was received, but not sent yet. */
export interface ByteStreamResponse extends TaskResponse, StartedBytes {}

/**
 * One request for one capability. The pipeline (call.ts) uses capabilities only through this interface. The folder
 * capabilities/ has the implementations.
 */
export interface Task<Response extends TaskResponse, Prepared extends PreparedRequest = PreparedRequest> {
  readonly capability: Modality;
  /** For text: the format of the request. A name without an author is looked up first at vendors of this format. */
  readonly format?: TextFormat;
  /** A slug, or another name of a model (ModelNames). */
  readonly model: string;
  /** Models to fall back to, in order. */
  readonly fallbackModels?: readonly string[];
  readonly preferences: ProviderPreferences;
  /** Whether the caller requested a stream. */
  readonly wantsStream: boolean;
  /** Whether part of the response was already sent to the caller, so that no further attempt is possible. */
  readonly isCommitted: boolean;
  /** The estimated tokens of the prompt, for token limits; absent if they are known only at the end. */
  readonly promptTokens?: number;
  /** The conversation that the request continues. Its last endpoint is preferred. */
  readonly session?: string;
  /**
   * The reason why an endpoint cannot serve the request; undefined if it can. Depends on the endpoint's data, never on
   * its name.
   */
  unsupportedReason(
    endpoint: CatalogueEndpoint,
    model: CatalogueModel,
    owner: CredentialOwner,
  ): UnsupportedReason | undefined;
  /**
   * Whether a part of the request is omitted for the endpoint. If so, other endpoints of the model are preferred.
   * Absent = never.
   */
  leavesOut?(endpoint: CatalogueEndpoint, owner: CredentialOwner): boolean;
  /** Adapts the request to an endpoint that can serve it. Called once for each endpoint and owner of a plan. */
  prepare(endpoint: CatalogueEndpoint, options: Options, model: CatalogueModel, owner: CredentialOwner): Prepared;
  /** The members of the request that the model reads, for traces and exports that contain texts. */
  promptMembers?(): Members;
  /** The generated text of each choice, also for traces and exports. */
  generatedTexts?(response: Response): readonly string[];
  /** Fetches the URLs in the request, once, after the reservation. Undefined if there is nothing to fetch. */
  load?(signal: AbortSignal): Promise<void> | undefined;
  /**
   * Calls the endpoint. Resolves when enough of the response has arrived to send the caller a status. If the response
   * has only started, passes a promise of the response's end to `watchEnd`, because the health of the endpoint depends
   * on how the response ends.
   */
  invoke(attempt: Attempt<Prepared>, watchEnd: (end: Promise<void>) => void): Promise<Response>;
  /** Rewrites a refusal of the reservation, so that its message says what this caller can do. */
  explain?(error: unknown, planned: PlannedEndpoint<Prepared>): unknown;
  /** The charge for the response; a promise if something must be counted first. */
  charge(attempt: Attempt<Prepared>, response: Response, end: ResponseEnd): Charge | Promise<Charge>;
}
