/** Fetches the documents that issuers publish: their metadata and their keys. */
export abstract class IssuerDocuments {
  /**
   * Returns the document, a JSON object. Throws a TokenRefusal for an address or a response that is not accepted, and
   * `unavailable` for an issuer that does not respond.
   */
  abstract fetch(url: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;

  abstract close(): Promise<void>;
}
