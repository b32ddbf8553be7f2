import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { invalidRequest, notFound, type GatewayError } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { upstreamModelOf, type Channel } from '../../channels/channel.js';
import { inOrderOfDraw, reasonOfPlace } from '../../channels/channel-order.js';
import { whenReady } from '../when-ready.js';
import type { UsableCredential } from '../../secrets/credential-directory.js';
import { EndpointAccess } from '../endpoint-access.js';
import { withoutExcluded } from './endpoint-exclusions.js';
import { CallableCredentials, restingOwn, type Candidate } from './callable-credentials.js';
import { inOrderOfUse } from './endpoint-order.js';
import { channelsLeft, inNamedOrder, isNamed } from './regional-channels.js';
import { LatencyTracker } from './latency-tracker.js';
import { ModelNames, quotedName } from '../model-names.js';
import { Random } from './random.js';
import { SessionEndpoints } from './session-endpoints.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type { CredentialOwner, Options, PlannedEndpoint, PreparedRequest, Task, TaskResponse } from '../task.js';

interface PricedCandidate extends Candidate, Omit<PlannedEndpoint, 'own' | 'channel'> {
  /** The request as prepared for the caller's own credentials; undefined if there are none. */
  readonly ownPrepared: PreparedRequest | undefined;
}

const NO_OPTIONS: Options = {};
const NO_CREDENTIALS: readonly UsableCredential[] = [];
const NO_CHANNELS: readonly Channel[] = [];

/** Chooses the attempts of a call and their order. */
@Injectable()
export class RoutePlanner {
  constructor(
    private readonly names: ModelNames,
    private readonly access: EndpointAccess,
    private readonly callable: CallableCredentials,
    private readonly latency: LatencyTracker,
    private readonly random: Random,
    private readonly sessions: SessionEndpoints,
  ) {}

  /** Never empty. Synchronous for a single model if the own credentials of the caller's workspace are cached. */
  plan(task: Task<TaskResponse>, caller: Principal): PlannedEndpoint[] | Promise<PlannedEndpoint[]> {
    const refreshing = this.access.refresh();
    return refreshing ? refreshing.then(() => this.#plan(task, caller)) : this.#plan(task, caller);
  }

  #plan(task: Task<TaskResponse>, caller: Principal): PlannedEndpoint[] | Promise<PlannedEndpoint[]> {
    const { model, fallbackModels } = task;
    const names = this.names.expanded(model, fallbackModels) ?? (fallbackModels?.length && [model, ...fallbackModels]);
    return names ? this.#planAll(task, names, caller) : this.#planModel(task, model, caller);
  }

  /**
   * The attempts of each model in turn, or of all models together if `sort` compares them. If no model can be called,
   * throws the failure of the first model.
   */
  async #planAll(task: Task<TaskResponse>, names: readonly string[], caller: Principal): Promise<PlannedEndpoint[]> {
    const attempts: PlannedEndpoint[] = [];
    const failures: unknown[] = [];
    for (const name of names) {
      try {
        attempts.push(...(await this.#planModel(task, name, caller)));
      } catch (error) {
        failures.push(error);
      }
    }
    if (attempts.length === 0) throw failures[0];
    const { preferences } = task;
    return preferences.sortsAcrossModels ? inOrderOfUse(attempts, preferences, this.latency, this.random) : attempts;
  }

  #planModel(
    task: Task<TaskResponse>,
    name: string,
    caller: Principal,
  ): PlannedEndpoint[] | Promise<PlannedEndpoint[]> {
    const model = this.names.find(name, task);
    this.access.assertAllowed(model.id, caller);
    const { preferences } = task;
    const endpoints = wantedOf(model, task, (endpoint) => this.access.platform(endpoint, model.id));
    const isOwnWanted = (endpoint: CatalogueEndpoint): boolean =>
      !preferences.only || isNamed(endpoint, preferences.only);
    const own = endpoints.map((endpoint) =>
      isOwnWanted(endpoint) ? this.access.own(endpoint, model.id, caller) : NO_CREDENTIALS,
    );
    return whenReady(own, (credentials) =>
      this.#choose(task, model, this.#candidates(endpoints, credentials, model.id, preferences)),
    );
  }

  #candidates(
    endpoints: readonly CatalogueEndpoint[],
    own: readonly (readonly UsableCredential[])[],
    model: string,
    preferences: ProviderPreferences,
  ): Candidate[] {
    return endpoints.map((endpoint, index) => ({
      endpoint,
      own: own[index]!,
      platform: channelsLeft(endpoint, this.access.platform(endpoint, model), preferences),
    }));
  }

  #choose(task: Task<TaskResponse>, model: CatalogueModel, candidates: readonly Candidate[]): PlannedEndpoint[] {
    const callable = candidates.filter(({ own, platform }) => platform.length > 0 || own.length > 0);
    // 404, because the condition is permanent, and clients would retry a 5xx.
    if (callable.length === 0) {
      const reasons = new Set(candidates.map(({ endpoint }) => this.access.missing(endpoint)));
      throw notFound(
        `Model ${quotedName(model.id)} cannot be called here. ${[...reasons].join('. ')}.`,
        'no_endpoints',
      );
    }
    const whole = callable.flatMap((candidate) => fittingOf(candidate, task, model, false));
    const fitting =
      whole.length > 0 || !task.leavesOut
        ? whole
        : callable.flatMap((candidate) => fittingOf(candidate, task, model, true));
    if (fitting.length === 0) throw refusalOf(callable[0]!, task, model);
    const priced = this.callable.of(fitting, model.id).map((candidate) => price(candidate, task, model));
    const attempts = this.#attemptsOf(this.#inOrder(priced, task, model), task);
    return task.preferences.allowFallbacks
      ? attempts
      : attempts.filter(({ endpoint }) => endpoint === attempts[0]!.endpoint);
  }

  #inOrder(priced: readonly PricedCandidate[], task: Task<TaskResponse>, { id }: CatalogueModel): PricedCandidate[] {
    const drawn = inOrderOfUse(priced, task.preferences, this.latency, this.random);
    const isChanged = ({ prepared }: PricedCandidate): boolean => prepared.adjusted !== undefined;
    // Endpoints that accept the request unchanged come first, unless the caller sets the order.
    const ordered =
      task.preferences.order || !drawn.some(isChanged)
        ? drawn
        : drawn.toSorted((a, b) => Number(isChanged(a)) - Number(isChanged(b)));
    const last = task.session && !task.preferences.order && this.sessions.lastServed(task.session, id)?.endpoint;
    return last ? ordered.toSorted((a, b) => Number(b.endpoint === last) - Number(a.endpoint === last)) : ordered;
  }

  /**
   * The order across all endpoints: the caller's own credentials, then the platform's credentials, then the caller's
   * own credentials that are marked as fallback.
   */
  #attemptsOf(ordered: readonly PricedCandidate[], task: Task<TaskResponse>): PlannedEndpoint[] {
    const first: PlannedEndpoint[] = [];
    const platform: PlannedEndpoint[] = [];
    const last: PlannedEndpoint[] = [];
    for (const candidate of ordered) {
      const { endpoint, model, options, prepared, ownPrepared } = candidate;
      for (const own of this.#ownInOrder(candidate))
        (own.isFallback ? last : first).push({ endpoint, model, options, prepared: ownPrepared!, own });
      for (const chosen of this.#channelsInOrder(candidate, task))
        platform.push({ endpoint, model, options, prepared, ...chosen });
    }
    return [...first, ...platform, ...last];
  }

  #ownInOrder({ endpoint, own }: PricedCandidate): readonly UsableCredential[] {
    if (own.length < 2) return own;
    const resting = own.map((credential) => ({ ...restingOwn(credential), credential }));
    return this.callable.behindOthers(resting, () => endpoint.upstreamModel).map(({ credential }) => credential);
  }

  #channelsInOrder(
    { endpoint, model, platform, resting }: PricedCandidate,
    { session, preferences }: Task<TaskResponse>,
  ): readonly Pick<PlannedEndpoint, 'channel' | 'choice'>[] {
    if (platform.length < 2 && !resting) return platform.map((channel) => ({ channel }));
    const place = session === undefined ? undefined : this.sessions.lastServed(session, model);
    const kept = place?.endpoint === endpoint ? place.channel : undefined;
    const drawn = inOrderOfDraw(platform, () => this.random.next(), kept);
    const named = inNamedOrder(endpoint, drawn, preferences);
    const ordered = this.callable.behindOthers(named, (channel) => upstreamModelOf(channel, endpoint, model));
    return ordered.map((channel, index) => {
      const passedOver = index === 0 ? resting?.filter(({ id }) => id !== channel.id) : undefined;
      const reason = reasonOfPlace(ordered, index, kept);
      return { channel, choice: { id: channel.id, reason, ...(passedOver?.length ? { passedOver } : {}) } };
    });
  }
}

/** The model's endpoints with the capability, without endpoints that the caller's preferences exclude. */
function wantedOf(
  { id, endpoints, distillable }: CatalogueModel,
  task: Task<TaskResponse>,
  channelsOf: (endpoint: CatalogueEndpoint) => readonly Channel[],
): CatalogueEndpoint[] {
  const able = endpoints.filter(
    ({ capability, adapter, pricing }) => capability === task.capability && adapter !== null && pricing.length > 0,
  );
  if (able.length === 0)
    throw notFound(
      `Model ${quotedName(id)} has no endpoint that can do this. GET /models shows what each model can do.`,
      'wrong_endpoint',
    );
  if (task.preferences.distillable && distillable !== true)
    throw notFound(
      `Model ${quotedName(id)} is not known to allow that its output trains other models, as ` +
        'provider.enforce_distillable_text requires',
      'constraint_filtered',
    );
  const { left, excludedBy } = withoutExcluded(able, task.preferences, channelsOf);
  if (left.length > 0) return left;
  throw notFound(
    `The provider preferences of the request exclude every provider of ${quotedName(id)}: the last one was ` +
      `excluded by ${excludedBy}. GET /models/${id}/endpoints lists its providers.`,
    'constraint_filtered',
  );
}

/**
 * The candidate with the credentials for which its endpoint accepts the request; empty if there are none.
 * `mayLeaveOut`: accepting a part of the request is enough.
 */
function fittingOf(
  { endpoint, own, platform }: Candidate,
  task: Task<TaskResponse>,
  model: CatalogueModel,
  mayLeaveOut: boolean,
): Candidate[] {
  const accepts = (owner: CredentialOwner): boolean =>
    task.unsupportedReason(endpoint, model, owner) === undefined && (mayLeaveOut || !task.leavesOut?.(endpoint, owner));
  const acceptsOwn = own.length > 0 && accepts('caller');
  const acceptsPlatform = platform.length > 0 && accepts('platform');
  if (!acceptsOwn && !acceptsPlatform) return [];
  return [{ endpoint, own: acceptsOwn ? own : NO_CREDENTIALS, platform: acceptsPlatform ? platform : NO_CHANNELS }];
}

/** The error if the endpoint does not accept the request: 404 if the request is valid (`unfit`), otherwise 400. */
function refusalOf({ endpoint, platform }: Candidate, task: Task<TaskResponse>, model: CatalogueModel): GatewayError {
  const reason = task.unsupportedReason(endpoint, model, platform.length === 0 ? 'caller' : 'platform')!;
  return typeof reason === 'string' ? invalidRequest(reason) : notFound(reason.unfit, 'constraint_filtered');
}

function price(candidate: Candidate, task: Task<TaskResponse>, model: CatalogueModel): PricedCandidate {
  const { endpoint, own, platform } = candidate;
  const given = task.preferences.options[endpoint.provider];
  const options = given ? allowedOptions(endpoint, given) : NO_OPTIONS;
  const ownPrepared = own.length > 0 ? task.prepare(endpoint, options, model, 'caller') : undefined;
  const prepared = platform.length === 0 ? ownPrepared! : task.prepare(endpoint, options, model, 'platform');
  return { ...candidate, model: model.id, options, prepared, ownPrepared };
}

/** Iterates over the allowed names, because they are few, while the caller may send any number. */
const allowedOptions = ({ allowedPassthroughParameters }: CatalogueEndpoint, given: Options): Options =>
  Object.fromEntries(
    allowedPassthroughParameters.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
  );
