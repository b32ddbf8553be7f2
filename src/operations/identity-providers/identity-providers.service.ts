import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { IdentityProviderClient } from '../../identity/identity-provider.port.js';
import { IdentityProviders } from '../../identity/identity-providers.js';
import { SignInRefusals } from '../../identity/sign-in-refusals.js';
import type { Principal } from '../../kernel/principal.js';
import type { IdentitySetup } from './identity-providers.wire.js';

const MAX_REFUSALS = 50;

/** Implements the operations of this API group. */
@Injectable()
export class IdentityProvidersService {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly client: IdentityProviderClient,
    private readonly refusals: SignInRefusals,
    private readonly config: Config,
  ) {}

  get localSignIn(): 'on' | 'link' {
    return this.config.values.LOCAL_SIGN_IN;
  }

  /** Reads the sign-in setup of the caller's account, and checks whether each of its identity providers can be used. */
  async status({ accountId }: Principal): Promise<IdentitySetup> {
    const { all } = this.providers;
    const accountIds = await Promise.all(all.map((provider) => this.providers.accountOf(provider)));
    const ofCaller = all.filter((_, index) => accountIds[index] === accountId);
    return {
      providers: await Promise.all(
        ofCaller.map(async (provider) => ({ provider, fault: await this.client.fault(provider) })),
      ),
      baseUrl: this.config.values.PUBLIC_BASE_URL ?? null,
      localSignIn: this.localSignIn,
      refused: await this.refusals.list(accountId, MAX_REFUSALS),
    };
  }
}
