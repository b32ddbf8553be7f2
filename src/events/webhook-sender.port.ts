/** How an attempt ended: the status of the response, or why there was none. */
export type SendOutcome =
  | {
      readonly status: number;
      /** How long the receiver wants to be left alone. */
      readonly retryAfterMs?: number;
    }
  | { readonly error: string };

export interface SendRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends one POST request to an address that a caller chose. Never rejects. */
export abstract class WebhookSender {
  abstract send(request: SendRequest): Promise<SendOutcome>;
  abstract close(): Promise<void>;
}
