import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { hashOfToken, newSessionToken } from '../sessions/session-token.js';
import { ATTEMPT_LIFE_S } from './attempt-cookie.js';

const SWEEP_EVERY_MS = 60_000;

/** The purpose of a sign-in. */
export interface AttemptPurpose {
  /** A page of the console. */
  readonly returnTo: string;
  readonly invitationId: string | null;
  /** The session whose user gets the identity; null = a new session is opened. */
  readonly linkSessionId: string | null;
  /** The session that ends when the new session starts. */
  readonly previousSessionId: string | null;
}

export interface NewAttempt {
  readonly state: string;
  /** The value of the attempt's cookie. */
  readonly browserToken: string;
}

/**
 * Stores the sign-ins in progress. Each attempt can be taken once, within ten minutes. Expired attempts are refused,
 * and deleted later.
 */
@Injectable()
export class SignInAttempts implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(SignInAttempts.name);
  readonly #sweeps = new Periodic(
    () => this.sql.query('delete from sign_in_attempt where expires_at <= $1', [this.clock.now()]),
    (error) => this.#log.warn(`The sweep of sign-in attempts failed and will be retried: ${error.message}`),
  );

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#sweeps.start(SWEEP_EVERY_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#sweeps.stop();
  }

  async begin(provider: string, purpose: AttemptPurpose): Promise<NewAttempt> {
    const attempt = { state: newSessionToken(), browserToken: newSessionToken() };
    const now = this.clock.now();
    await this.sql.query(
      `insert into sign_in_attempt (state_hash, browser_hash, provider, return_to, invitation_id, link_session_id,
         previous_session_id, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        hashOfToken(attempt.state),
        hashOfToken(attempt.browserToken),
        provider,
        purpose.returnTo,
        purpose.invitationId,
        purpose.linkSessionId,
        purpose.previousSessionId,
        now,
        new Date(now.getTime() + ATTEMPT_LIFE_S * 1_000),
      ],
    );
    return attempt;
  }

  /** Null if the attempt is unknown, already taken or too old, or if it belongs to another browser or provider. */
  async take(provider: string, { state, browserToken }: NewAttempt): Promise<AttemptPurpose | null> {
    const [taken] = await this.sql.query<AttemptPurpose>(
      `update sign_in_attempt set used_at = $4
       where state_hash = $1 and browser_hash = $2 and provider = $3 and used_at is null and expires_at > $4
       returning return_to as "returnTo", invitation_id as "invitationId", link_session_id as "linkSessionId",
         previous_session_id as "previousSessionId"`,
      [hashOfToken(state), hashOfToken(browserToken), provider, this.clock.now()],
    );
    return taken ?? null;
  }
}
