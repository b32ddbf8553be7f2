import type { SecretValue } from '../kernel/secret-value.js';

/** A stored credential of the platform, without its secrets. */
export interface PlatformCredential extends CredentialSetup {
  readonly id: string;
  readonly provider: string;
  /** Masked rendering of the key. */
  readonly label: string;
  /** The names of headers whose values are sealed. */
  readonly secretHeaderNames: readonly string[];
  /** The state that the vendor's last response reported; null = no lasting state. */
  readonly state: 'refused' | 'exhausted' | null;
  readonly stateUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** The members that requests can set and responses contain. */
export interface CredentialSetup {
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly region: string | null;
  readonly apiVersion: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly weight: number;
  readonly allowedModels: readonly string[] | null;
  readonly deniedModels: readonly string[];
  readonly modelNames: Readonly<Record<string, string>>;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly maxConcurrent: number | null;
  readonly disabled: boolean;
}

/** The secrets of a row, which are sealed together. */
export interface CredentialSecrets {
  readonly key: SecretValue;
  readonly headers: Readonly<Record<string, string>>;
}

/** The name of the row to which the sealed bytes are bound. */
export const bindingOfPlatformCredential = (id: string): string => `platform:${id}`;

export const DEFAULT_SETUP: CredentialSetup = {
  name: null,
  baseUrl: null,
  region: null,
  apiVersion: null,
  headers: {},
  priority: 0,
  weight: 1,
  allowedModels: null,
  deniedModels: [],
  modelNames: {},
  rpm: null,
  tpm: null,
  maxConcurrent: null,
  disabled: false,
};
