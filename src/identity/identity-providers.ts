import { Injectable } from '@nestjs/common';
import { Config, ConfigError } from '../config/config.js';
import { prefixOf, type IdentityProvider } from '../config/identity-provider-variables.js';
import { invalidRequest, notFound } from '../kernel/errors/errors.js';
import { Accounts } from '../tenancy/accounts.js';
import { Workspaces } from '../tenancy/workspaces.js';

/**
 * A Host header that may be used for the callback if PUBLIC_BASE_URL is not set. A loopback name cannot lead to another
 * host.
 */
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** The identity providers of the configuration. */
@Injectable()
export class IdentityProviders {
  constructor(
    private readonly config: Config,
    private readonly accounts: Accounts,
    private readonly workspaces: Workspaces,
  ) {}

  get all(): readonly IdentityProvider[] {
    return this.config.identityProviders;
  }

  /** Throws a 404 for an unknown name. */
  named(name: string): IdentityProvider {
    const provider = this.all.find((each) => each.name === name);
    if (!provider) throw notFound('There is no identity provider with this name');
    return provider;
  }

  /** The account whose members the provider signs in. */
  async accountOf({ accountId }: IdentityProvider): Promise<string> {
    return accountId ?? (await this.accounts.first()).id;
  }

  /**
   * The URL of the callback, which begins with PUBLIC_BASE_URL. If this variable is not set, the Host header is used,
   * but only if it is a loopback name, because clients choose the header. Throws invalid_request for other headers.
   */
  redirectUri({ name }: IdentityProvider, host: string | undefined): string {
    const { PUBLIC_BASE_URL } = this.config.values;
    if (PUBLIC_BASE_URL === undefined && !LOOPBACK_HOST.test(host ?? ''))
      throw invalidRequest('Signing in through a provider needs PUBLIC_BASE_URL: the operator has to set it');
    return `${PUBLIC_BASE_URL ?? `http://${host}`}/console/oidc/${name}/callback`;
  }

  /** Throws a ConfigError if an account or a workspace in the variables does not exist. */
  async check(): Promise<void> {
    for (const provider of this.all) {
      const prefix = prefixOf(provider.name);
      const { accountId } = provider;
      if (accountId !== undefined && !(await this.accounts.find(accountId)))
        throw new ConfigError(`${prefix}ACCOUNT names an account that does not exist`);
      const slugs = new Set(provider.roles.flatMap(({ workspaces }) => workspaces.map(({ slug }) => slug)));
      if (slugs.size === 0) continue;
      const present = await this.workspaces.list(await this.accountOf(provider));
      for (const slug of slugs)
        if (!present.some((workspace) => workspace.slug === slug))
          throw new ConfigError(`${prefix}ROLES names the workspace ${slug}, which the account does not have`);
    }
  }
}
