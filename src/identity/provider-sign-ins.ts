import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { OpenedSession } from '../sessions/sign-ins.js';
import { browserTokenOf } from './attempt-cookie.js';
import { IdentityLinks } from './identity-links.js';
import { IdentityProviderClient, type AttemptSecrets } from './identity-provider.port.js';
import { IdentityProviders } from './identity-providers.js';
import { IdentitySignIns } from './identity-sign-ins.js';
import { personOf, type Person } from './person.js';
import { SignInAttempts, type AttemptPurpose, type NewAttempt } from './sign-in-attempts.js';
import { SignInRefusals } from './sign-in-refusals.js';
import { SignInRefused } from './sign-in-refused.js';

/** A sign-in that has started at the provider. */
interface StartedSignIn extends NewAttempt {
  readonly url: URL;
}

interface CompletedSignIn {
  readonly purpose: AttemptPurpose;
  /** Null if an identity was linked to the running session. */
  readonly opened: OpenedSession | null;
}

/** A request of a browser for the callback. */
interface SignInCallback {
  readonly provider: string;
  /** The query with its question mark; empty if there is none. */
  readonly search: string;
  readonly request: IncomingMessage;
  readonly place: CallerPlace;
  /** Called before a refusal is recorded. Throws if too many sign-ins from the caller's address were refused. */
  readonly countFailure: () => Promise<void>;
}

/**
 * Signs people in through identity providers: begins a sign-in at the provider, and opens a session after the
 * provider's callback.
 */
@Injectable()
export class ProviderSignIns {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly client: IdentityProviderClient,
    private readonly attempts: SignInAttempts,
    private readonly signIns: IdentitySignIns,
    private readonly links: IdentityLinks,
    private readonly refusals: SignInRefusals,
  ) {}

  async begin(name: string, purpose: AttemptPurpose, host: string | undefined): Promise<StartedSignIn> {
    const provider = this.providers.named(name);
    const redirectUri = this.providers.redirectUri(provider, host);
    const attempt = await this.attempts.begin(name, purpose);
    return { ...attempt, url: await this.client.authorizationUrl(provider, redirectUri, secretsOf(attempt)) };
  }

  /** Exchanges the code only if this browser started the attempt and no earlier request has used the attempt. */
  async complete(callback: SignInCallback): Promise<CompletedSignIn> {
    const { provider: name, place, countFailure } = callback;
    const provider = this.providers.named(name);
    const accountId = await this.providers.accountOf(provider);
    let person: Person | undefined;
    try {
      const { purpose, attempt } = await this.#take(callback);
      const url = new URL(this.providers.redirectUri(provider, callback.request.headers.host) + callback.search);
      const claims = await this.client.exchange(provider, url, secretsOf(attempt));
      person = personOf(provider, accountId, claims, place);
      return { purpose, opened: await this.#give(person, purpose) };
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      await countFailure();
      await this.refusals.record({ provider: name, accountId, refused: error, identity: person?.key, place });
      throw error;
    }
  }

  async #take({
    provider,
    search,
    request,
  }: SignInCallback): Promise<{ purpose: AttemptPurpose; attempt: NewAttempt }> {
    const states = new URLSearchParams(search).getAll('state');
    const state = states.length === 1 ? states[0]! : '';
    const browserToken = browserTokenOf(request, state);
    if (browserToken === undefined) throw new SignInRefused('unknown_attempt');
    const attempt = { state, browserToken };
    const purpose = await this.attempts.take(provider, attempt);
    if (!purpose) throw new SignInRefused('unknown_attempt');
    return { purpose, attempt };
  }

  async #give(person: Person, { linkSessionId, invitationId }: AttemptPurpose): Promise<OpenedSession | null> {
    if (linkSessionId === null) return this.signIns.open(person, invitationId);
    await this.links.link(person, linkSessionId);
    return null;
  }
}

/** Derives nonce and verifier from the token in the browser's cookie, so that the database does not contain them. */
function secretsOf({ state, browserToken }: NewAttempt): AttemptSecrets {
  const derived = (use: string): string =>
    createHmac('sha256', browserToken).update(`${use}:${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), verifier: derived('verifier') };
}
