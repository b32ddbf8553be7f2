import { t } from '../text/translate';

const ADVICE: Readonly<Record<number, string>> = {
  401: t('This session has no right to it, or it has ended. Sign out, then sign in with a key of the other class.'),
  402: t('Add credits, or raise the limit of the key.'),
  403: t('This session has no right to it. Sign in as a user, or with a management key.'),
  404: t('It may have been deleted. Reload the list.'),
  409: t('Something else changed it at the same time. Reload the page and try again.'),
  429: t('Wait a moment, then try again.'),
};
const RETRY_LATER = t(
  'The service or a provider could not answer. Try again in a moment; name the request id in a report.',
);

/** An error response of the API, with a message for the reader. */
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

  /** What the reader can do about the error. */
  get advice(): string | undefined {
    return ADVICE[this.status] ?? (this.status >= 500 ? RETRY_LATER : undefined);
  }

  static async of(response: Response): Promise<ApiFault> {
    const text = await response.text();
    return new ApiFault(
      response.status,
      messageOf(text) ?? t('HTTP status {status}', { status: response.status }),
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

/** The browsers' messages when no response arrived: Chromium, Firefox, Safari. */
const NO_RESPONSE = /fetch|network|load failed/i;

/** Whether no response arrived, because the service or the network is down. */
export const hasNoResponse = (error: unknown): boolean => error instanceof TypeError && NO_RESPONSE.test(error.message);

/** Whether the same read may succeed later. */
export const mayBeTemporary = (error: unknown): boolean =>
  hasNoResponse(error) || (error instanceof ApiFault && error.isTransient);
