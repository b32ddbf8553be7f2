import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { upstreamModelOf, type Channel } from '../../channels/channel.js';
import { CredentialRests, type Rest, type RestingCredential } from '../../channels/credential-rests.js';
import type { PassedOver } from '../../kernel/call-facts.js';
import { retryAfterSeconds } from '../../kernel/errors/retry-after.js';
import type { UsableCredential } from '../../secrets/credential-directory.js';
import { EndpointHealth, EndpointUnhealthy, unavailableKind, type EndpointPlace } from './endpoint-health.js';

/** An endpoint with the credentials that can be used to call it. */
export interface Candidate {
  readonly endpoint: CatalogueEndpoint;
  /** The caller's own credentials, in the order of use. */
  readonly own: readonly UsableCredential[];
  /** The platform's credentials; empty if the platform cannot call the endpoint. */
  readonly platform: readonly Channel[];
  /** Resting credentials, which are omitted or come last. Absent = none is resting. */
  readonly resting?: readonly PassedOver[];
}

/** A caller's own credential rests under the same rules as a credential of the environment. */
export const restingOwn = ({ id, version }: UsableCredential): RestingCredential => ({ id, version, isStored: false });

/** Omits unhealthy endpoints and resting credentials. */
@Injectable()
export class CallableCredentials {
  constructor(
    private readonly health: EndpointHealth,
    private readonly rests: CredentialRests,
  ) {}

  /** The candidates with the credentials that can be used now. Throws the refusal of the call if there are none. */
  of<T extends Candidate>(candidates: readonly T[], model: string): T[] {
    const healthy = candidates.flatMap((candidate) => this.#healthy(candidate));
    // Checked before anything is reserved, so that a call that cannot start causes no work in the database.
    if (healthy.length === 0) throw this.health.refusal(candidates.flatMap(placesOf));
    if (this.rests.isEmpty) return healthy;
    const found: Rest[] = [];
    const ready = healthy.flatMap((candidate) => this.#ready(candidate, model, found));
    if (ready.length === 0) throw restRefusal(healthy[0]!.endpoint, found);
    return ready;
  }

  /** Moves resting credentials to the end. */
  behindOthers<T extends RestingCredential>(
    credentials: readonly T[],
    modelOf: (credential: T) => string,
  ): readonly T[] {
    if (this.rests.isEmpty || credentials.length < 2) return credentials;
    const isBehind = (credential: T): number => Number(this.rests.of(credential, modelOf(credential)) !== undefined);
    return credentials.toSorted((a, b) => isBehind(a) - isBehind(b));
  }

  #healthy<T extends Candidate>(candidate: T): T[] {
    const { endpoint, own, platform } = candidate;
    const isHealthy = this.health.isCallable(endpoint);
    const isReached = ({ baseUrl }: Channel): boolean =>
      baseUrl === null ? isHealthy : this.health.isCallable(endpoint, baseUrl);
    const isWhole = (isHealthy || own.length === 0) && platform.every(isReached);
    if (isWhole) return [candidate];
    const left = { ...candidate, own: isHealthy ? own : [], platform: platform.filter(isReached) };
    return left.own.length === 0 && left.platform.length === 0 ? [] : [left];
  }

  #ready<T extends Candidate>(candidate: T, model: string, found: Rest[]): T[] {
    const { endpoint, own, platform } = candidate;
    const resting: PassedOver[] = [];
    const isReady = (credential: RestingCredential, upstreamModel: string): boolean => {
      const rest = this.rests.of(credential, upstreamModel);
      if (rest) resting.push({ id: credential.id, reason: rest.reason });
      if (!rest?.isFirm) return true;
      found.push(rest);
      return false;
    };
    const left = {
      ...candidate,
      own: own.filter((credential) => isReady(restingOwn(credential), endpoint.upstreamModel)),
      platform: platform.filter((channel) => isReady(channel, upstreamModelOf(channel, endpoint, model))),
    };
    if (left.own.length === 0 && left.platform.length === 0) return [];
    return [resting.length === 0 ? left : { ...left, resting }];
  }
}

/** The addresses at which the candidate can be called. Callers' own credentials use the provider's address. */
function placesOf({ endpoint, own, platform }: Candidate): EndpointPlace[] {
  const places = platform.map(({ baseUrl }) => ({ endpoint, address: baseUrl ?? undefined }));
  return own.length === 0 ? places : [...places, { endpoint, address: undefined }];
}

/**
 * The refusal of a call without any usable credential. Nothing was sent to a vendor. Retry-After is the time until the
 * first rest ends, in seconds.
 */
export function restRefusal(
  { capability, providerName }: CatalogueEndpoint,
  rests: readonly Rest[],
): EndpointUnhealthy {
  const leftMs = Math.min(...rests.map(({ until }) => until)) - Date.now();
  const seconds = retryAfterSeconds(leftMs);
  const details = { headers: { 'retry-after': String(seconds) }, facts: { provider: providerName } };
  return rests.every(({ reason }) => reason === 'cap')
    ? new EndpointUnhealthy(
        unavailableKind(capability),
        `The limits of this service's credentials for the model are reached. Try again in ${seconds} seconds.`,
        details,
      )
    : new EndpointUnhealthy(
        'rate_limited',
        `The providers of this model recently refused this service. Try again in ${seconds} seconds.`,
        details,
      );
}
