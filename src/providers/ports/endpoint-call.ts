import type { SecretValue } from '../../kernel/secret-value.js';

/** Settings of a platform credential that change a call, besides the secret. Absent = the provider's defaults. */
export interface ChannelCall {
  /** The credential's own address, without a trailing slash. */
  readonly baseUrl?: string;
  /** Whether `baseUrl` may be a private address. */
  readonly mayBePrivate?: boolean;
  /** Whether the provider is an own provider, which may be in the operator's network. */
  readonly isOwnProvider?: boolean;
  /** The version of the vendor's API, for vendors that require one. */
  readonly apiVersion?: string;
  /** Alternating names and values, including secret headers. */
  readonly headers?: readonly string[];
}

/** The members common to the calls of every capability. */
export interface EndpointCall {
  /** The vendor's own name of the model. */
  readonly upstreamModel: string;
  /** The provider slug of the chosen endpoint, for adapters that serve several providers. */
  readonly provider: string;
  /** The npm package to use, for adapters that use vendors' own packages. */
  readonly package?: string;
  /** The opened credential; null if the provider needs none. */
  readonly credential: SecretValue | null;
  readonly channel?: ChannelCall;
  /** Passthrough options, already restricted to the chosen vendor and to its allowed names. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the price depends on the vendor's count of tokens, so that the adapter must request it. */
  readonly needsUsage?: boolean;
  /** The endpoint's own limit on the time without a byte from the vendor; undefined = the default. */
  readonly timeoutMs?: number;
  /** Aborted when the caller disconnects or the call times out. The adapter must then stop and throw. */
  readonly signal: AbortSignal;
  /** The hash of the caller's key, for adapters that share their own work among keys. Never sent to a vendor. */
  readonly callerKey?: string;
}

/** The parameters of a request for a vendor's list of models. */
export type ListCall = Pick<EndpointCall, 'provider' | 'package' | 'credential' | 'channel' | 'signal' | 'timeoutMs'>;

/** The properties by which an adapter identifies an endpoint. */
export interface EndpointName extends Pick<EndpointCall, 'provider' | 'package'> {
  /** The vendor's own name of the model; absent = any model of the provider. */
  readonly upstreamModel?: string;
  /** False = the endpoint is called without a credential, so a credential cannot contain its address. */
  readonly needsCredential?: boolean;
  /** The address of an own provider; absent = the adapter has the address. */
  readonly ownAddress?: string;
  /** Absent = the provider's defaults. */
  readonly channel?: ChannelCall;
}

/** Returns the base URL that the operator configured for a provider; undefined = use the vendor's own. */
export type FindBaseUrl = (provider: string) => string | undefined;

/**
 * The vendor's own report of its usage, not validated: members can be missing or of any type. Adapters pass it on
 * unchanged; inference/usage-judgement.ts validates it.
 */
export interface ReportedUsage {
  readonly promptTokens?: unknown;
  /** The part of `promptTokens` used for pictures. */
  readonly promptImageTokens?: unknown;
  /** The part of `promptTokens` used for text. */
  readonly promptTextTokens?: unknown;
  /** The part of `promptTokens` used for audio. */
  readonly promptAudioTokens?: unknown;
  readonly completionTokens?: unknown;
  /** The part of `completionTokens` used for pictures. */
  readonly completionImageTokens?: unknown;
  /** The part of `completionTokens` used for text. */
  readonly completionTextTokens?: unknown;
  /** Seconds of audio. */
  readonly seconds?: unknown;
  readonly searchUnits?: unknown;
}
