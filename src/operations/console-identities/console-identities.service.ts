import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { IdentityLinks } from '../../identity/identity-links.js';
import { IdentityProviders } from '../../identity/identity-providers.js';
import { returnPath } from '../../identity/return-path.js';
import { SignInStarts } from '../../identity/sign-in-starts.js';
import { conflict } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import type { LabelledIdentity } from './console-identities.wire.js';
import type { LinkIdentityRequest } from './dto/console-identities.request.dto.js';

/** Implements the operations of this API group. */
@Injectable()
export class ConsoleIdentitiesService {
  constructor(
    private readonly links: IdentityLinks,
    private readonly starts: SignInStarts,
    private readonly providers: IdentityProviders,
  ) {}

  /** Empty for a session without a user. */
  async list({ userId }: ConsoleSession): Promise<LabelledIdentity[]> {
    const identities = userId === null ? [] : await this.links.list(userId);
    const labels = new Map(this.providers.all.map(({ name, label }) => [name, label]));
    return identities.map((identity) => ({ identity, label: labels.get(identity.provider) ?? null }));
  }

  /** Returns the URL of the provider's page. */
  async start(
    session: ConsoleSession,
    { provider, return_to }: LinkIdentityRequest,
    request: Request,
    response: Response,
  ): Promise<string> {
    userOf(session);
    const returnTo = returnPath(return_to);
    const purpose = { returnTo, invitationId: null, linkSessionId: session.id, previousSessionId: null };
    return this.starts.begin(provider, purpose, request, response);
  }

  async unlink(session: ConsoleSession, id: string, by: Principal): Promise<void> {
    await this.links.unlink(userOf(session), id, session, by);
  }
}

function userOf({ userId, openedBy }: ConsoleSession): string {
  if (userId === null || openedBy === 'key')
    throw conflict('A session that a key opened has no identities: sign in with a link or through a provider');
  return userId;
}
