import { resolve } from 'node:path';
import { SecretValue } from '../kernel/secret-value.js';
import { readIdentityProviders, type IdentityProvider } from './identity-provider-variables.js';
import { httpUrl, readVariable, type Environment, type Variable } from './schemas.js';
import { VARIABLES, type ConfigValues } from './variables.js';

/** Thrown for an invalid variable. The message contains its name and the rule, never its value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The values of one provider's variables, such as OPENAI_API_KEY and OPENAI_BASE_URL. */
interface ProviderVariables {
  readonly apiKey: SecretValue | null;
  readonly baseUrl: string | undefined;
}

/**
 * The name of a provider's variable: the slug in capitals with underscores, then the suffix, such as OPENAI_API_KEY for
 * `openai`.
 */
export const variableOfProvider = (slug: string, suffix: 'API_KEY' | 'BASE_URL'): string =>
  `${slug.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_${suffix}`;

const BASE_URL = { schema: httpUrl, doc: 'Another address of a provider.' };

/** The environment, read once and validated. No other code reads `process.env`. */
export class Config {
  /** By slug. The number of entries is limited by the number of providers in the catalogue. */
  readonly #providers = new Map<string, ProviderVariables>();

  constructor(
    readonly values: ConfigValues,
    private readonly environment: Environment = {},
    /** In the order of OIDC_PROVIDERS. */
    readonly identityProviders: readonly IdentityProvider[] = [],
  ) {}

  static read(environment: Environment = process.env): Config {
    const problems: string[] = [];
    const entries = Object.entries(VARIABLES as Record<string, Variable<unknown>>).map(
      ([name, variable]) => [name, readVariable(variable, name, environment, problems)] as const,
    );
    const values = Object.fromEntries(entries) as unknown as ConfigValues;
    const providers = readIdentityProviders(values.OIDC_PROVIDERS ?? [], environment, problems);
    if (problems.length > 0) throw new ConfigError(problems.join('; '));
    if (values.MASTER_KEY && values.MASTER_KEY_FILE)
      throw new ConfigError('MASTER_KEY and MASTER_KEY_FILE are both set: give one of them');
    if ((values.S3_ACCESS_KEY_ID === undefined) !== (values.S3_SECRET_ACCESS_KEY === undefined))
      throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: give both or neither');
    if ((values.SMTP_URL === undefined) !== (values.SMTP_FROM === undefined))
      throw new ConfigError('SMTP_URL and SMTP_FROM belong together: give both or neither');
    if (values.CLICKHOUSE_CLUSTER !== undefined && values.CLICKHOUSE_URL === undefined)
      throw new ConfigError('CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL');
    return new Config({ ...values, DATA_DIR: resolve(values.DATA_DIR) }, environment, providers);
  }

  /** The same configuration with some values replaced. */
  with(values: Partial<ConfigValues>): Config {
    return new Config({ ...this.values, ...values }, this.environment, this.identityProviders);
  }

  /** Reads only LOG_FORMAT, so that an error in another variable can be reported in this format. */
  static logFormat(environment: Environment = process.env): ConfigValues['LOG_FORMAT'] {
    const given = environment['LOG_FORMAT']?.trim();
    return given === 'json' || given === 'text' ? given : undefined;
  }

  /**
   * `<SLUG>_API_KEY` and `<SLUG>_BASE_URL` of a provider. Throws a ConfigError for a base URL that is invalid.
   */
  provider(slug: string): ProviderVariables {
    let variables = this.#providers.get(slug);
    if (!variables) this.#providers.set(slug, (variables = this.#readProvider(slug)));
    return variables;
  }

  #readProvider(slug: string): ProviderVariables {
    const apiKey = this.environment[variableOfProvider(slug, 'API_KEY')]?.trim();
    const problems: string[] = [];
    const baseUrl = readVariable(BASE_URL, variableOfProvider(slug, 'BASE_URL'), this.environment, problems);
    if (problems.length > 0) throw new ConfigError(problems[0]);
    return { apiKey: apiKey ? new SecretValue(apiKey) : null, baseUrl };
  }
}
