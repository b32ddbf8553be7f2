/** Tokens that act as a key. The room applications issues them. */
export abstract class AccessTokens {
  /**
   * The hash of the key that a token acts as; null for a token that is not valid, or no longer. Synchronous where the
   * token is remembered. `hash`: SHA-256 of the whole token.
   */
  abstract keyOf(token: string, hash: string): string | null | Promise<string | null>;
}
