import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import { ROLES, WORKSPACE_ROLES, type Role, type WorkspaceRole } from '../../../kernel/access/permissions.js';

/** An identity provider on the sign-in page. */
export class IdentityProviderRecord {
  /** Sign-in starts at `/console/oidc/{name}/start`. */
  @ApiProperty()
  name: string;

  /** The text of its button. */
  @ApiProperty()
  label: string;
}

@ResponseExample({ data: [{ name: 'corp', label: 'Example Corp' }], local_sign_in: 'on' })
export class IdentityProviderListResponse {
  /** In display order. */
  @ApiProperty({ type: [IdentityProviderRecord] })
  data: IdentityProviderRecord[];

  /** Sign-in without a provider. `on`: by a key or by a link of the operator. `link`: only by such a link. */
  @ApiProperty({ enum: ['on', 'link'] })
  local_sign_in: 'on' | 'link';
}

export class GroupWorkspace {
  /** The slug of the workspace. */
  @ApiProperty()
  slug: string;

  @ApiProperty({ enum: WORKSPACE_ROLES })
  role: WorkspaceRole;
}

export class GroupRole {
  @ApiProperty()
  group: string;

  @ApiProperty({ enum: ROLES })
  role: Role;

  @ApiProperty({ type: [GroupWorkspace] })
  workspaces: GroupWorkspace[];
}

/** The configuration of an identity provider, without secrets. */
export class IdentityProviderStatus {
  @ApiProperty()
  name: string;

  @ApiProperty()
  label: string;

  @ApiProperty()
  issuer: string;

  @ApiProperty()
  client_id: string;

  @ApiProperty({ type: [String] })
  scopes: string[];

  /** A JSON pointer into the claims. */
  @ApiProperty()
  groups_claim: string;

  /** The roles by group; empty = groups are not used. */
  @ApiProperty({ type: [GroupRole] })
  roles: GroupRole[];

  /** Domains whose verified addresses are accepted; empty = no address is accepted. */
  @ApiProperty({ type: [String] })
  domains: string[];

  @ApiProperty({ enum: ROLES, nullable: true })
  default_role: Role | null;

  /** The URI to register at the provider; null without PUBLIC_BASE_URL. */
  @ApiProperty({ type: String, nullable: true })
  redirect_uri: string | null;

  /** The URI to register at the provider for back-channel logout; null without PUBLIC_BASE_URL. */
  @ApiProperty({ type: String, nullable: true })
  backchannel_logout_uri: string | null;

  /** The path that starts a sign-in in this browser. The console uses it to test the provider. */
  @ApiProperty()
  try_path: string;

  /** Why the provider cannot be used now; null = its discovery document was read and is valid. */
  @ApiProperty({ type: String, nullable: true })
  fault: string | null;
}

/** A sign-in that was refused. */
export class RefusedSignIn {
  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty()
  provider: string;

  /** A code such as `no_role`. */
  @ApiProperty()
  reason: string;

  /** The message for the person; null if this version of the service has no message for the reason. */
  @ApiProperty({ type: String, nullable: true })
  message: string | null;

  /** A hash of issuer and subject; null if no identity was confirmed. */
  @ApiProperty({ type: String, nullable: true })
  identity_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  address: string | null;

  @ApiProperty({ type: String, nullable: true })
  request_id: string | null;
}

export class IdentityStatus {
  @ApiProperty({ type: [IdentityProviderStatus] })
  providers: IdentityProviderStatus[];

  @ApiProperty({ enum: ['on', 'link'] })
  local_sign_in: 'on' | 'link';

  /** The latest refused sign-ins, newest first. */
  @ApiProperty({ type: [RefusedSignIn] })
  refused: RefusedSignIn[];
}

@ResponseExample({
  data: {
    providers: [
      {
        name: 'corp',
        label: 'Example Corp',
        issuer: 'https://id.example/realms/corp',
        client_id: 'gatehouse',
        scopes: ['openid', 'email', 'profile'],
        groups_claim: '/groups',
        roles: [{ group: 'gw-dev', role: 'developer', workspaces: [{ slug: 'team-a', role: 'member' }] }],
        domains: ['corp.example'],
        default_role: null,
        redirect_uri: 'https://gateway.example/console/oidc/corp/callback',
        backchannel_logout_uri: 'https://gateway.example/console/oidc/corp/backchannel',
        try_path: '/console/oidc/corp/start',
        fault: null,
      },
    ],
    local_sign_in: 'link',
    refused: [
      {
        at: '2026-11-27T09:00:00.000Z',
        provider: 'corp',
        reason: 'no_account',
        message: 'You are signed in at the identity provider, but you are not a member here.',
        identity_id: '5f2b0c9d1e3a4f60718293a4b5c6d7e8',
        address: '192.0.2.7',
        request_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
      },
    ],
  },
})
export class IdentityStatusResponse extends DataResponse(IdentityStatus) {}
