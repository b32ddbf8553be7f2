import { Injectable } from '@nestjs/common';
import { NO_CREDENTIAL, upstreamModelOf, type Channel } from '../../channels/channel.js';
import { ChannelCaps, type CappedUse, type ReachedCap } from '../../channels/channel-caps.js';
import { ChannelDirectory, type OpenedChannel } from '../../channels/channel-directory.js';
import { ChannelHealth } from '../../channels/channel-health.js';
import { CredentialRests, type Rest, type RestingCredential } from '../../channels/credential-rests.js';
import { RestNotices } from '../../channels/rest-notices.js';
import { restOfFailure } from '../../channels/rest-of-failure.js';
import type { CredentialChoice, PassedOver, PassReason } from '../../kernel/call-facts.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { CredentialDirectory } from '../../secrets/credential-directory.js';
import { restingOwn, restRefusal } from '../routing/callable-credentials.js';
import type { InferenceContext, PlannedEndpoint } from '../task.js';

/**
 * Handles the credential of an attempt: checks its limits, opens it, and updates its state after the vendor's response.
 */
@Injectable()
export class CallCredentials {
  constructor(
    private readonly own: CredentialDirectory,
    private readonly channels: ChannelDirectory,
    private readonly rests: CredentialRests,
    private readonly caps: ChannelCaps,
    private readonly health: ChannelHealth,
    private readonly notices: RestNotices,
  ) {}

  /**
   * Counts the attempt against the limits of the credential. Undefined if the credential has no limits. Throws
   * EndpointUnhealthy if a limit is reached, or if a rest of the credential started after the plan was created.
   */
  admit(planned: PlannedEndpoint): Promise<CappedUse> | undefined {
    const { endpoint, channel } = planned;
    const credential = credentialOf(planned);
    if (!credential) return undefined;
    const rest = this.rests.of(credential, modelOf(planned));
    if (rest?.isFirm) throw restRefusal(endpoint, [rest]);
    const taking = channel && this.caps.take(channel);
    if (!taking) this.rests.probe(credential);
    return taking?.then((use) => {
      if ('ms' in use) throw restRefusal(endpoint, [this.#capped(credential, use)]);
      this.rests.probe(credential);
      return use;
    });
  }

  #capped(credential: RestingCredential, { isConcurrency, ms }: ReachedCap): Rest {
    return isConcurrency ? { reason: 'cap', until: Date.now() + ms, isFirm: true } : this.rests.capped(credential, ms);
  }

  /** The credential of an attempt, and why it is used. `skipped`: the credentials that were skipped before it. */
  choiceOf(planned: PlannedEndpoint, skipped: readonly PassedOver[]): CredentialChoice | undefined {
    const { own, choice } = planned;
    const credential = credentialOf(planned);
    if (!credential) return undefined;
    const chosen = choice ?? { id: credential.id, reason: own ? 'own_key' : 'only' };
    return skipped.length === 0 ? chosen : { ...chosen, passedOver: [...(chosen.passedOver ?? []), ...skipped] };
  }

  /** The credential of a skipped attempt. Default reason: the reason of its rest, otherwise a limit. */
  passedOver(planned: PlannedEndpoint, reason?: PassReason): PassedOver[] {
    const credential = credentialOf(planned);
    if (!credential) return [];
    return [{ id: credential.id, reason: reason ?? this.rests.of(credential, modelOf(planned))?.reason ?? 'cap' }];
  }

  /** The use of a stored credential is recorded before it is opened. */
  open({ channel, own, endpoint }: PlannedEndpoint, context: InferenceContext): OpenedChannel | Promise<OpenedChannel> {
    const { caller, place } = context;
    if (own) return this.own.open(own.id, caller, place).then((secret) => ({ secret }));
    const opened = this.channels.open(channel!, caller, place);
    const { ownAddress } = endpoint;
    if (ownAddress === undefined) return opened;
    return opened instanceof Promise
      ? opened.then((one) => this.channels.at(one, ownAddress))
      : this.channels.at(opened, ownAddress);
  }

  served(planned: PlannedEndpoint, ms: number): void {
    const credential = credentialOf(planned);
    if (!credential) return;
    if (this.rests.succeeded(credential, modelOf(planned))) this.notices.recovered(credential);
    if (planned.channel) this.health.succeeded(credential.id, ms);
  }

  /**
   * Stores the result even if nothing changed in this process, because another replica may have recorded that the
   * credential is refused or exhausted.
   */
  passedTest(channel: Channel): void {
    this.rests.succeeded(channel, undefined);
    this.notices.recovered(channel);
  }

  /**
   * `model`: the vendor's name of the called model. If it is undefined, failures that concern a single model do not
   * count.
   */
  failedTest(channel: Channel, model: string | undefined, error: GatewayError): void {
    if (model === undefined && restOfFailure(error, Date.now())?.isOfModel !== false) return;
    this.rests.failed(channel, model ?? '', error);
  }

  failed(planned: PlannedEndpoint, error: unknown): void {
    const credential = credentialOf(planned);
    if (!credential || !(error instanceof GatewayError)) return;
    // A 404 does not count if the caller chose the name of a model outside the catalogue.
    const isCallersName = error.vendorStatus === 404 && planned.endpoint.listedAs !== undefined;
    const rest = isCallersName ? undefined : this.rests.failed(credential, modelOf(planned), error);
    if (planned.channel && (rest || error.outage)) this.health.failed(credential.id, error);
  }
}

const credentialOf = ({ channel, own }: PlannedEndpoint): RestingCredential | undefined =>
  own ? restingOwn(own) : channel === NO_CREDENTIAL ? undefined : channel;

const modelOf = ({ channel, endpoint, model }: PlannedEndpoint): string =>
  channel ? upstreamModelOf(channel, endpoint, model) : endpoint.upstreamModel;
