const ADVICE: Readonly<Record<number, string>> = {
  401: 'This session has no right to it, or it has ended. Sign out, then sign in with a key of the other class.',
  402: 'Add credits, or raise the limit of the key.',
  403: 'This session has no right to it. Sign in as a user, or with a management key.',
  404: 'It may have been deleted. Reload the list.',
  409: 'Something else changed it at the same time. Reload the page and try again.',
  429: 'Wait a moment, then try again.',
};
const RETRY_LATER =
  'The service or a provider could not answer. Try again in a moment; name the request id in a report.';

/** A response of the API that is an error. Its message is written for the reader by the API. */
export class ApiFault extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | null,
  ) {
    super(message);
  }

  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429;
  }

  /** What the reader can do. */
  get advice(): string | undefined {
    return ADVICE[this.status] ?? (this.status >= 500 ? RETRY_LATER : undefined);
  }

  static async of(response: Response): Promise<ApiFault> {
    const text = await response.text();
    return new ApiFault(
      response.status,
      messageOf(text) ?? `HTTP status ${response.status}`,
      response.headers.get('x-request-id'),
    );
  }
}

function messageOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : undefined;
  } catch {
    return undefined;
  }
}
