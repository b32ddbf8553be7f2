/** The result of an attempt: the status of the response, or why there was no response. */
export type SendOutcome =
  | {
      readonly status: number;
      /** The pause that the receiver requests. */
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
