/** SQL for the vaults within reach of intern i: its own vault, the attached vault and the vault of the workspace. */
export const REACHABLE_VAULTS = `intern i
  join vault v on v.workspace_id = i.workspace_id
    and (v.intern_id = i.id or v.id = i.attached_vault_id or v.intern_id is null)`;

/** SQL for every secret within reach of an intern, with the precedence of its vault. `internId`: an SQL expression. */
export const reachableSecretsOf = (internId: string): string => `from ${REACHABLE_VAULTS}
  join vault_secret s on s.vault_id = v.id
  cross join lateral (
    select case when v.intern_id = i.id then 1 when v.intern_id is not null then 2 else 3 end as rank) r
  where i.id = ${internId}`;

/** SQL for every secret within reach of intern $1. */
export const REACHABLE_SECRETS = reachableSecretsOf('$1');
