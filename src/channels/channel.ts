import type { SecretValue } from '../kernel/secret-value.js';
import { labelOfCredential } from '../secrets/credential-label.js';

/** Limits of a credential: requests and tokens per minute, and concurrent calls; null = not limited. */
export interface CapSettings {
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly maxConcurrent: number | null;
}

/**
 * A credential of the platform, with the data for planning a call. The secret of a stored credential is not included.
 */
export interface Channel {
  /** The id of its row; `env:<slug>` for a credential of the environment. */
  readonly id: string;
  /** Changes with every change of the row, so that the rests of earlier versions are ignored. */
  readonly version: string;
  readonly provider: string;
  /** The secret from the environment; null = the secret is stored and is opened for each call, or none is needed. */
  readonly secret: SecretValue | null;
  readonly isStored: boolean;
  /** Credentials with a lower number are used first. */
  readonly priority: number;
  /** The weight among credentials of the same priority. */
  readonly weight: number;
  /** Null = the address of the provider. */
  readonly baseUrl: string | null;
  /** Null = every region. */
  readonly region: string | null;
  /** Null = every model. */
  readonly allowedModels: readonly string[] | null;
  readonly deniedModels: readonly string[];
  /** The vendor's own names of models, by the ids of the models. */
  readonly modelNames: Readonly<Record<string, string>>;
  /** Undefined if it has no limits. */
  readonly caps: CapSettings | undefined;
}

const UNLIMITED = {
  priority: 0,
  weight: 1,
  baseUrl: null,
  region: null,
  allowedModels: null,
  deniedModels: [],
  modelNames: {},
  caps: undefined,
} as const;

/** The vendor's own name of a model, for calls with a credential. */
export const upstreamModelOf = (
  { modelNames }: Channel,
  { upstreamModel }: { readonly upstreamModel: string },
  model: string,
): string => (Object.hasOwn(modelNames, model) ? modelNames[model]! : upstreamModel);

export const ENVIRONMENT_PREFIX = 'env:';

/**
 * The credential in `<SLUG>_API_KEY`. The version contains the masked key, because replicas may be started with
 * different keys.
 */
export function environmentChannel(provider: string, secret: SecretValue): Channel {
  const id = `${ENVIRONMENT_PREFIX}${provider}`;
  const version = `${id}@${labelOfCredential(secret.reveal())}`;
  return { ...UNLIMITED, id, version, provider, secret, isStored: false };
}

/** The provider in the version of an environment credential. */
export const providerOfVersion = (version: string): string =>
  version.slice(ENVIRONMENT_PREFIX.length).split('@', 1)[0]!;

/** Placeholder for the credential of endpoints that need none. */
export const NO_CREDENTIAL: Channel = {
  ...UNLIMITED,
  id: 'none',
  version: 'none',
  provider: '',
  secret: null,
  isStored: false,
};
