import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ApiFault } from './api-fault';
import { QUERY_KEYS } from './query-keys';
import type { components } from './schema';

export type WaysToSignIn = components['schemas']['IdentityProviderListResponse'];

/**
 * The identity providers, and whether users can also sign in with keys. The operation is public, because the sign-in
 * page calls it.
 */
async function waysToSignIn(): Promise<WaysToSignIn> {
  const response = await fetch('/api/v1/identity-providers');
  if (!response.ok) throw await ApiFault.of(response);
  return (await response.json()) as WaysToSignIn;
}

export const useWaysToSignIn = (): UseQueryResult<WaysToSignIn> =>
  useQuery({ queryKey: QUERY_KEYS.signInMethods, queryFn: waysToSignIn, staleTime: Infinity });

/** Goes to the identity provider, which sends the browser back to this page. */
export async function redirectToProvider(provider: string, invitation: string | null): Promise<void> {
  const { pathname, search } = window.location;
  const response = await fetch(`/console/oidc/${encodeURIComponent(provider)}/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ return_to: pathname + search, ...(invitation === null ? {} : { invitation }) }),
  });
  if (!response.ok) throw await ApiFault.of(response);
  window.location.assign(((await response.json()) as { url: string }).url);
}
