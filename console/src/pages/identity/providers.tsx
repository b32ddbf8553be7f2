import { Alert, Badge, Button, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { QUERY_KEYS } from '../../api/query-keys';
import type { IdentityProviderStatus, RefusedSignIn } from '../../api/records';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { ABSENT } from '../../format/amounts';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

const REFUSED_COLUMNS: readonly Column<RefusedSignIn>[] = [
  { header: t('When'), cell: ({ at }) => <Ago iso={at} /> },
  { header: t('Provider'), cell: ({ provider }) => provider },
  { header: t('Reason'), cell: ({ reason, message }) => message ?? reason },
  { header: t('From'), cell: ({ address }) => address ?? ABSENT },
  { header: t('Request'), cell: ({ request_id }) => (request_id ? <code>{request_id}</code> : ABSENT) },
];

/** The configured identity providers, and the reasons why recent sign-ins were refused. */
export function Providers(): ReactNode {
  const status = useQuery({
    queryKey: QUERY_KEYS.identityProviders,
    queryFn: async () => (await body(api.GET('/api/v1/identity-providers/status'))).data,
  });
  return (
    <section aria-label={t('Identity providers')}>
      <SectionHeader
        title={t('Identity providers')}
        about={t('They are set by the variables OIDC_…, and change with a restart.')}
      />
      <Loaded query={status} placeholder={<Placeholder h={{ base: 180, sm: 90 }} />}>
        {({ providers, local_sign_in: local, refused }) => (
          <Stack>
            <Text size="sm">
              {local === 'on'
                ? t('Keys and links of the operator sign in too (LOCAL_SIGN_IN=on).')
                : t('Beside them, only links of the operator sign in (LOCAL_SIGN_IN=link).')}
            </Text>
            {providers.length === 0 && (
              <Text size="sm" c="dimmed">
                {rich(
                  'No identity providers yet. Set {code} and its variables: docs/operations/sign-in.md has the ' +
                    'values of Keycloak, Entra ID, Google, Okta and Authentik.',
                  { code: <Code>OIDC_PROVIDERS</Code> },
                )}
              </Text>
            )}
            {providers.map((provider) => (
              <Provider key={provider.name} provider={provider} />
            ))}
            <SectionHeader title={t('Refused sign-ins')} about={t('The last ones, the newest first.')} />
            <DataTable
              label={t('Refused sign-ins')}
              columns={REFUSED_COLUMNS}
              rows={refused}
              rowKey={(_, index) => String(index)}
              empty={t('None was refused.')}
            />
          </Stack>
        )}
      </Loaded>
    </section>
  );
}

function Provider({ provider }: { readonly provider: IdentityProviderStatus }): ReactNode {
  const { label, fault, roles, domains, redirect_uri, backchannel_logout_uri, try_path } = provider;
  const here = `?return_to=${encodeURIComponent('/console/identity')}`;
  return (
    <Stack gap="xs">
      {fault && (
        <Alert variant="outline" color="red" title={t('{label} cannot be used now', { label })}>
          {fault}
        </Alert>
      )}
      <Facts
        title={label}
        rows={[
          [t('Name'), provider.name],
          [t('Issuer'), provider.issuer],
          [t('Client'), provider.client_id],
          [t('Scopes'), provider.scopes.join(' ')],
          [t('Redirect address'), redirect_uri ?? t('set PUBLIC_BASE_URL')],
          [t('Back-channel logout'), backchannel_logout_uri ?? t('set PUBLIC_BASE_URL')],
          [t('Claim of the groups'), <code key="claim">{provider.groups_claim}</code>],
          [t('Groups'), <Groups key="groups" roles={roles} />],
          [t('Domains'), domains.join(', ') || t('none: no address is used')],
          [t('Role without a group'), provider.default_role ?? t('none: refused without a group or an invitation')],
        ]}
      />
      <Button component="a" href={try_path + here} variant="default" size="xs" w="fit-content">
        {t('Try to sign in with {label}', { label })}
      </Button>
    </Stack>
  );
}

function Groups({ roles }: { readonly roles: IdentityProviderStatus['roles'] }): ReactNode {
  if (roles.length === 0) return t('decide nothing');
  return roles.map(({ group, role, workspaces }) => (
    <Badge key={`${group} ${role}`} variant="outline" mr="xs">
      {group}:{' '}
      {[role, ...workspaces.map(({ slug, role: within }) => t('{within} of {slug}', { within, slug }))].join(', ')}
    </Badge>
  ));
}
