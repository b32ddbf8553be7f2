import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { newId } from '../kernel/ids.js';
import { outsideRequests } from '../kernel/request-scope.js';
import { CredentialRests, type RestingCredential, type SpreadRest } from './credential-rests.js';
import { PlatformCredentials } from './platform-credentials.js';

const CHANNEL = 'credential_rest';

/** A notice has the time that is left, because the clocks of replicas differ. */
type Notice = Omit<SpreadRest, 'until'> & { readonly ms: number; readonly from: string };

/**
 * Tells other replicas of rests, which only makes them faster: each would find out by itself. What lasts is stored, so
 * that replicas that start later know it too.
 */
@Injectable()
export class RestNotices implements OnModuleInit {
  readonly #log = new Logger(RestNotices.name);
  /** Names this process: its own notices come back, when the rest may be over. */
  readonly #self = newId();

  constructor(
    private readonly rests: CredentialRests,
    private readonly credentials: PlatformCredentials,
    private readonly sql: Sql,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.notifications.on(CHANNEL, (payload) => this.#heard(payload));
    this.rests.onRest((rest, { isStored }) => outsideRequests(() => void this.#tell(rest, isStored)));
  }

  /** A stored credential served a call after it was found refused or exhausted. */
  recovered({ id, isStored }: RestingCredential): void {
    if (!isStored) return;
    outsideRequests(() => void this.credentials.setState(id, null, null).catch((error: Error) => this.#failed(error)));
  }

  async #tell({ until, ...rest }: SpreadRest, isStored: boolean): Promise<void> {
    const notice: Notice = { ...rest, ms: until - Date.now(), from: this.#self };
    try {
      await this.sql.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)]);
      if (isStored && (rest.reason === 'refused' || rest.reason === 'exhausted'))
        await this.credentials.setState(rest.id, rest.reason, new Date(until));
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  #heard(payload: string): void {
    const { ms, from, ...rest } = JSON.parse(payload) as Notice;
    if (from !== this.#self) this.rests.learn({ ...rest, until: Date.now() + ms });
  }

  #failed(error: Error): void {
    this.#log.debug(`The rest of a credential was not told to other replicas: ${error.message}`);
  }
}
