import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FailedKeys } from '../../auth/failed-keys.js';
import { refuseUnusable } from '../../auth/refuse-unusable.js';
import { SignInLimit } from '../../auth/sign-in-limit.js';
import { Config } from '../../config/config.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { Clock } from '../../kernel/clock.js';
import { forbidden, unauthenticated } from '../../kernel/errors/errors.js';
import { SignIns, type OpenedSession } from '../../sessions/sign-ins.js';
import type { ConsoleSignInRequest } from './dto/console-session.request.dto.js';

const INVALID_CODE =
  'This code is not valid: it was already used or is older than five minutes. `operator console-link` prints a ' +
  'new link.';
const NO_KEYS =
  'Signing in with a key is disabled (LOCAL_SIGN_IN): sign in through the identity provider, or with a link of ' +
  '`operator console-link`.';

const NO_INVITATIONS =
  'Invitations are accepted through the identity provider here (LOCAL_SIGN_IN): open the link in a browser, and sign ' +
  'in there.';

/** Opens sessions with codes, and with keys if LOCAL_SIGN_IN is `on`. */
@Injectable()
export class LocalSignIns {
  constructor(
    private readonly signIns: SignIns,
    private readonly limit: SignInLimit,
    private readonly failed: FailedKeys,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Throws a 403 if members must sign in through an identity provider. */
  assertTakesInvitations(): void {
    const { LOCAL_SIGN_IN: local, OIDC_PROVIDERS: providers } = this.config.values;
    if (local === 'link' && providers.length > 0) throw forbidden(NO_INVITATIONS);
  }

  /** Exactly one of code and key is set. */
  async byCodeOrKey({ code, key }: ConsoleSignInRequest, request: Request, place: CallerPlace): Promise<OpenedSession> {
    if (key !== undefined && this.config.values.LOCAL_SIGN_IN === 'link') throw forbidden(NO_KEYS);
    const countFailure = (): Promise<void> => this.limit.countFailure(request);
    const opened =
      code === undefined
        ? await this.signIns.byKey(key!, (known) => refuseUnusable(known, this.clock.now()), place, countFailure)
        : await this.signIns.byCode(code, place, countFailure);
    if (opened) return opened;
    const refusal = await this.failed.refusal(request);
    throw code === undefined || refusal.kind === 'rate_limited' ? refusal : unauthenticated(INVALID_CODE);
  }
}
