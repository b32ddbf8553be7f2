import { resolve } from 'node:path';
import { SecretValue } from '../kernel/secret-value.js';
import { VARIABLES, type ConfigValues, type Variable } from './variables.js';

/** A bad variable: names it and what it must be, never its value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** What one provider's variables say, such as OPENAI_API_KEY and OPENAI_BASE_URL. */
export interface ProviderVariables {
  readonly apiKey: SecretValue | null;
  readonly baseUrl: string | undefined;
}

/** The environment, read once and validated. The only place that sees `process.env`. */
export class Config {
  /** By slug; the catalogue bounds their number. */
  readonly #providers = new Map<string, ProviderVariables>();

  constructor(
    readonly values: ConfigValues,
    private readonly environment: Readonly<Record<string, string | undefined>> = {},
  ) {}

  static read(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
    const problems: string[] = [];
    const entries = Object.entries(VARIABLES as Record<string, Variable<unknown>>).map(([name, variable]) => {
      const given = environment[name]?.trim();
      const text = given === undefined || given === '' ? variable.default : given;
      if (text === undefined) return [name, undefined] as const;
      try {
        return [name, variable.parse(text)] as const;
      } catch (error) {
        problems.push(`${name} ${(error as Error).message}`);
        return [name, undefined] as const;
      }
    });
    if (problems.length > 0) throw new ConfigError(problems.join('; '));
    const values = Object.fromEntries(entries) as unknown as ConfigValues;
    if (values.MASTER_KEY && values.MASTER_KEY_FILE)
      throw new ConfigError('MASTER_KEY and MASTER_KEY_FILE are both set: give one of them');
    if ((values.S3_ACCESS_KEY_ID === undefined) !== (values.S3_SECRET_ACCESS_KEY === undefined))
      throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: give both or neither');
    return new Config({ ...values, DATA_DIR: resolve(values.DATA_DIR) }, environment);
  }

  /** `<SLUG>_API_KEY` and `<SLUG>_BASE_URL` of a provider, the slug in capitals with underscores. */
  provider(slug: string): ProviderVariables {
    let variables = this.#providers.get(slug);
    if (!variables) this.#providers.set(slug, (variables = this.#readProvider(slug)));
    return variables;
  }

  #readProvider(slug: string): ProviderVariables {
    const prefix = slug.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
    const apiKey = this.environment[`${prefix}_API_KEY`]?.trim();
    const baseUrl = this.environment[`${prefix}_BASE_URL`]?.trim();
    return {
      apiKey: apiKey ? new SecretValue(apiKey) : null,
      baseUrl: baseUrl ? baseUrl.replace(/\/+$/, '') : undefined,
    };
  }
}
