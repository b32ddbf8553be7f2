import type { IdentityProvider } from '../../config/identity-provider-variables.js';
import type { ListedRefusal } from '../../identity/sign-in-refusals.js';
import { messageOfReason } from '../../identity/sign-in-refused.js';
import type {
  IdentityProviderRecord,
  IdentityProviderStatus,
  IdentityStatus,
  RefusedSignIn,
} from './dto/identity-providers.response.dto.js';

/** The configuration of sign-in, and the refused sign-ins. */
export interface IdentitySetup {
  readonly providers: readonly { readonly provider: IdentityProvider; readonly fault: string | null }[];
  /** Null without PUBLIC_BASE_URL. */
  readonly baseUrl: string | null;
  readonly localSignIn: 'on' | 'link';
  readonly refused: readonly ListedRefusal[];
}

export const toProviderRecord = ({ name, label }: IdentityProvider): IdentityProviderRecord => ({ name, label });

export const toIdentityStatus = ({ providers, baseUrl, localSignIn, refused }: IdentitySetup): IdentityStatus => ({
  providers: providers.map(({ provider, fault }) => toProviderStatus(provider, fault, baseUrl)),
  local_sign_in: localSignIn,
  refused: refused.map(toRefusedSignIn),
});

function toProviderStatus(
  provider: IdentityProvider,
  fault: string | null,
  baseUrl: string | null,
): IdentityProviderStatus {
  const path = `/console/oidc/${provider.name}`;
  const address = (operation: string): string | null => baseUrl && `${baseUrl}${path}/${operation}`;
  return {
    name: provider.name,
    label: provider.label,
    issuer: provider.issuer,
    client_id: provider.clientId,
    scopes: [...provider.scopes],
    groups_claim: pointerOf(provider.groupsClaim),
    roles: provider.roles.map(({ group, role, workspaces }) => ({
      group,
      role,
      workspaces: workspaces.map((workspace) => ({ ...workspace })),
    })),
    domains: [...provider.domains],
    default_role: provider.defaultRole ?? null,
    redirect_uri: address('callback'),
    backchannel_logout_uri: address('backchannel'),
    try_path: `${path}/start`,
    fault,
  };
}

const pointerOf = (members: readonly string[]): string =>
  members.map((member) => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const toRefusedSignIn = ({ at, provider, reason, identityId, address, requestId }: ListedRefusal): RefusedSignIn => ({
  at: at.toISOString(),
  provider,
  reason,
  message: messageOfReason(reason),
  identity_id: identityId,
  address,
  request_id: requestId,
});
