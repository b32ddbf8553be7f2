/** The owner of a vault: an intern or, without an intern, the workspace. */
export interface VaultOwner {
  readonly workspaceId: string;
  readonly internId: string | null;
}

/** A secret without its value. Callers can read only this metadata. */
export interface SecretRecord {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly fingerprint: string;
  readonly createdAt: Date;
}

/** The vaults from which an intern's secret can come, in order of precedence. */
type SecretScope = 'intern' | 'attached' | 'workspace';

export interface EffectiveSecret extends SecretRecord {
  readonly scope: SecretScope;
}

/** The columns of a SecretRecord. */
export const SECRET_COLUMNS = `s.name, s.hosts, s.fingerprint, s.created_at as "createdAt"`;

/** The binding of sealed bytes to their row. */
export const bindingOf = (vaultId: string, name: string): string => `vault_secret:${vaultId}/${name}`;
