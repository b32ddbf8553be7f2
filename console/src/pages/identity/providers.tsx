import { Alert, Badge, Button, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { QUERY_KEYS } from '../../api/query-keys';
import type { ProviderStatus, RefusedSignIn } from '../../api/records';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { ABSENT } from '../../format/amounts';

const REFUSED_COLUMNS: readonly Column<RefusedSignIn>[] = [
  { header: 'When', cell: ({ at }) => <Ago iso={at} /> },
  { header: 'Provider', cell: ({ provider }) => provider },
  { header: 'Reason', cell: ({ reason, message }) => message ?? reason },
  { header: 'From', cell: ({ address }) => address ?? ABSENT },
  { header: 'Request', cell: ({ request_id }) => (request_id ? <code>{request_id}</code> : ABSENT) },
];

/** The identity providers as the variables describe them, and why the last sign-ins were refused. */
export function Providers(): ReactNode {
  const status = useQuery({
    queryKey: QUERY_KEYS.identityProviders,
    queryFn: async () => (await body(api.GET('/api/v1/identity-providers/status'))).data,
  });
  return (
    <section aria-label="Identity providers">
      <SectionHeader
        title="Identity providers"
        about="They are set by the variables OIDC_…, and change with a restart."
      />
      <Loaded query={status}>
        {({ providers, local_sign_in: local, refused }) => (
          <Stack>
            <Text size="sm">
              {local === 'on'
                ? 'Keys and links of the operator sign in too (LOCAL_SIGN_IN=on).'
                : 'Beside them, only links of the operator sign in (LOCAL_SIGN_IN=link).'}
            </Text>
            {providers.length === 0 && (
              <Text c="dimmed">
                There is none. Set <Code>OIDC_PROVIDERS</Code> and its variables: docs/operations/sign-in.md has the
                values of Keycloak, Entra ID, Google, Okta and Authentik.
              </Text>
            )}
            {providers.map((provider) => (
              <Provider key={provider.name} provider={provider} />
            ))}
            <SectionHeader title="Refused sign-ins" about="The last ones, the newest first." />
            <DataTable
              label="Refused sign-ins"
              columns={REFUSED_COLUMNS}
              rows={refused}
              rowKey={(_, index) => String(index)}
              empty="None was refused."
            />
          </Stack>
        )}
      </Loaded>
    </section>
  );
}

function Provider({ provider }: { readonly provider: ProviderStatus }): ReactNode {
  const { label, fault, roles, domains, redirect_uri, backchannel_logout_uri, try_path } = provider;
  const here = `?return_to=${encodeURIComponent('/console/identity')}`;
  return (
    <Stack gap="xs">
      {fault && (
        <Alert variant="outline" color="red" title={`${label} cannot be used now`}>
          {fault}
        </Alert>
      )}
      <Facts
        title={label}
        rows={[
          ['Name', provider.name],
          ['Issuer', provider.issuer],
          ['Client', provider.client_id],
          ['Scopes', provider.scopes.join(' ')],
          ['Redirect address', redirect_uri ?? 'set PUBLIC_BASE_URL'],
          ['Back-channel logout', backchannel_logout_uri ?? 'set PUBLIC_BASE_URL'],
          ['Claim of the groups', <code key="claim">{provider.groups_claim}</code>],
          ['Groups', <Groups key="groups" roles={roles} />],
          ['Domains', domains.join(', ') || 'none: no address is used'],
          ['Role without a group', provider.default_role ?? 'none: refused without a group or an invitation'],
        ]}
      />
      <Button component="a" href={try_path + here} variant="default" size="xs" w="fit-content">
        Try to sign in with {label}
      </Button>
    </Stack>
  );
}

function Groups({ roles }: { readonly roles: ProviderStatus['roles'] }): ReactNode {
  if (roles.length === 0) return 'decide nothing';
  return roles.map(({ group, role, workspaces }) => (
    <Badge key={`${group} ${role}`} variant="outline" mr="xs" tt="none">
      {group}: {[role, ...workspaces.map(({ slug, role: within }) => `${within} of ${slug}`)].join(', ')}
    </Badge>
  ));
}
