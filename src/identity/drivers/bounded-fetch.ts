import type { CustomFetch } from 'openid-client';

export const MAX_PROVIDER_S = 5;
const MAX_RESPONSE_BYTES = 1_048_576;

/** The provider did not respond, or its response is unusable. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

/**
 * A fetch function for the endpoints of a provider. Throws ProviderUnavailable for redirects, server errors, failed
 * connections and responses of more than 1 MiB, and at the `deadline`.
 */
export const boundedFetch =
  (deadline: AbortSignal): CustomFetch =>
  async (url, { signal, ...options }) => {
    try {
      const response = await fetch(url, {
        ...(options as RequestInit),
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      const { status, headers } = response;
      if (status >= 500 || (status >= 300 && status < 400)) {
        await response.body?.cancel();
        throw new ProviderUnavailable(`status ${status}`);
      }
      return new Response(await bounded(response), { status, headers });
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error;
      throw new ProviderUnavailable(deadline.aborted ? `no response within ${MAX_PROVIDER_S} s` : reasonOfFault(error));
    }
  };

async function bounded({ body }: Response): Promise<Buffer | null> {
  if (!body) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest of the response.
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_RESPONSE_BYTES) throw new ProviderUnavailable(`more than ${MAX_RESPONSE_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The code of a socket's error, such as ECONNREFUSED; the name of any other error. */
function reasonOfFault(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name;
}
