/** Whose vault: an intern's own, or, without an intern, the workspace's. */
export interface VaultOwner {
  readonly workspaceId: string;
  readonly internId: string | null;
}

/** What may be told of a secret. */
export interface SecretRecord {
  readonly name: string;
  readonly hosts: readonly string[];
  readonly fingerprint: string;
  readonly createdAt: Date;
}

/** Which vault a secret comes from that an intern receives; the order is that of precedence. */
export type SecretScope = 'intern' | 'attached' | 'workspace';

export interface EffectiveSecret extends SecretRecord {
  readonly scope: SecretScope;
}

/** The columns of a SecretRecord. */
export const SECRET_COLUMNS = `s.name, s.hosts, s.fingerprint, s.created_at as "createdAt"`;

/** What sealed bytes are bound to: the row that holds them. */
export const bindingOf = (vaultId: string, name: string): string => `vault_secret:${vaultId}/${name}`;
