import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { newId } from '../kernel/ids.js';
import { outsideRequests } from '../kernel/request-scope.js';
import type { Channel } from './channel.js';
import { CredentialRests, type RestingCredential, type SpreadRest } from './credential-rests.js';
import { LastingStates } from './lasting-states.js';

const CHANNEL = 'credential_rest';

/** A notice contains the remaining time, because the clocks of replicas differ. */
type Notice = Omit<SpreadRest, 'until'> & { readonly ms: number; readonly from: string };

/**
 * Notifies other replicas of rests. The notices only avoid failed calls: without a notice, each replica would detect
 * the rest by a failed call of its own. Lasting states are stored, so that replicas that start later can read them.
 */
@Injectable()
export class RestNotices implements OnModuleInit {
  readonly #log = new Logger(RestNotices.name);
  /** Identifies this process, which ignores its own notices, because they may arrive after the rest has ended. */
  readonly #self = newId();

  constructor(
    private readonly rests: CredentialRests,
    private readonly states: LastingStates,
    private readonly sql: Sql,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.notifications.on(CHANNEL, (payload) => this.#receive(payload));
    this.rests.onRest((rest, credential, status) => outsideRequests(() => void this.#send(rest, credential, status)));
  }

  /** Records that a credential has served a call after it was found refused or exhausted. */
  recovered(credential: RestingCredential): void {
    if (!isChannel(credential)) return;
    outsideRequests(() => void this.states.end(credential).catch((error: Error) => this.#failed(error)));
  }

  async #send(
    { until, ...rest }: SpreadRest,
    credential: RestingCredential,
    status: number | undefined,
  ): Promise<void> {
    const notice: Notice = { ...rest, ms: until - Date.now(), from: this.#self };
    const { reason } = rest;
    try {
      await this.sql.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)]);
      if (isChannel(credential) && (reason === 'refused' || reason === 'exhausted'))
        await this.states.begin(credential, { state: reason, until: new Date(until) }, status);
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  #receive(payload: string): void {
    const { ms, from, ...rest } = JSON.parse(payload) as Notice;
    if (from !== this.#self) this.rests.learn({ ...rest, until: Date.now() + ms });
  }

  #failed(error: Error): void {
    this.#log.debug(`Other replicas were not notified that a credential is at rest: ${error.message}`);
  }
}

/** Callers' own credentials have no lasting state. */
const isChannel = (credential: RestingCredential): credential is Channel => 'provider' in credential;
