/** Access tokens, each of which acts as a key. FederatedTokens (src/applications) implements this port. */
export abstract class AccessTokens {
  /**
   * Returns the hash of the key that a token acts as; null if the token is invalid or has expired. Synchronous if the
   * token is cached. `hash`: SHA-256 of the whole token.
   */
  abstract keyOf(token: string, hash: string): string | null | Promise<string | null>;

  /** Whether the token is cached as valid. `hash`: SHA-256 of the whole token. */
  abstract isVerified(hash: string): boolean;
}
