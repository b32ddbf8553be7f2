import type { SqlSession } from './sql.js';

/** Marks a token as used until `expiresAt`. Returns false if any replica has already marked it. */
export async function markTokenUsed(
  session: SqlSession,
  issuer: string,
  tokenId: string,
  expiresAt: Date,
): Promise<boolean> {
  const marked = await session.query(
    `insert into used_token (issuer, token_id, expires_at) values ($1, $2, $3)
     on conflict (issuer, token_id) do nothing returning 1`,
    [issuer, tokenId, expiresAt],
  );
  return marked.length > 0;
}
