import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWaysToSignIn } from '../../api/identity-providers';
import type { Session } from '../../api/records';
import { useSignedIn } from '../../api/session';
import { useWorkspaces } from '../../api/workspaces';
import { SectionHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, usd } from '../../format/amounts';
import { entryAt, type NavigationItem } from '../../layout/navigation';
import { useIsListed } from '../../layout/use-navigation';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';

interface Setting {
  readonly label: string;
  readonly about: ReactNode;
  /** The page on which the setting can be changed. */
  readonly to?: NavigationItem['to'];
}

const SETTINGS: readonly Setting[] = [
  {
    label: t('Limits of workspaces'),
    about: t(
      'Requests, tokens and calls at once of all keys of a workspace, and tokens of a response without a bound.',
    ),
    to: '/workspaces',
  },
  {
    label: t('Limits and contents of keys'),
    about: t(
      'Per key: limit, models, requests, tokens, sessions, the response cache, and if texts of ' +
        'calls are exported.',
    ),
    to: '/keys',
  },
  { label: t('Budgets'), about: t('What workspaces, members, keys and others may spend in a time.'), to: '/budgets' },
  { label: t('Members and roles'), about: t('Who belongs to the account, and what they may do.'), to: '/members' },
  { label: t('Alerts and webhooks'), about: t('Which events are sent to people and programs.'), to: '/webhooks' },
  {
    label: t('Provider credentials'),
    about: t('Own keys at vendors, in place of the platform.'),
    to: '/provider-credentials',
  },
  { label: t('Channels'), about: t("The platform's keys at vendors."), to: '/channels' },
  { label: t('Own models'), about: t('Own providers, their models and prices, and aliases.'), to: '/own-models' },
];

/** Links to the settings of the account. Omits pages that the session may not see. */
export function AccountSettings(): ReactNode {
  const session = useSignedIn();
  const isListed = useIsListed();
  const mayOpen = ({ to }: Setting): boolean => {
    const page = to && entryAt(to);
    return !page || isListed(page);
  };
  return (
    <section aria-label={t('Account')}>
      <SectionHeader
        title={t('Account')}
        about={t(
          'What holds for all, and where it is set. Variables are set where the service starts, and ' +
            'are only shown.',
        )}
      />
      <Table variant="vertical" aria-label={t('Account')} mt="xs" style={{ overflowWrap: 'break-word' }}>
        <Table.Tbody>
          <SessionSpending session={session} />
          <SignIn />
          {SETTINGS.filter(mayOpen).map((setting) => (
            <Row key={setting.label} {...setting} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Row({ label, about, to }: Setting): ReactNode {
  return (
    <Table.Tr>
      <Table.Th scope="row">{to ? <PageLink to={to}>{label}</PageLink> : label}</Table.Th>
      <Table.Td>{about}</Table.Td>
    </Table.Tr>
  );
}

/** The menu in the header changes these settings. */
function SessionSpending({ session }: { readonly session: Session }): ReactNode {
  const { data = [] } = useWorkspaces();
  if (session.kind === 'key' || !session.permissions.includes('inference')) return null;
  const workspace = data.find(({ id }) => id === session.workspace_id)?.name ?? ABSENT;
  const limit = session.limit === null ? t('no limit') : t('a limit of {limit}', { limit: usd(session.limit) });
  const spent = t('{spent} spent in the workspace {workspace}, with {limit}.', {
    spent: usd(session.spent),
    workspace,
    limit,
  });
  const about = t('{spent} The amount in the header changes it.', { spent });
  return <Row label={t('Spending of this session')} about={about} />;
}

/** The environment configures the identity providers. */
function SignIn(): ReactNode {
  const { permissions } = useSignedIn();
  const { data } = useWaysToSignIn();
  const names = data?.data.map(({ label }) => label).join(', ');
  const about = (
    <Text span inherit>
      {rich('{names}. The variable {code} names them.', {
        names: names || t('No identity provider'),
        code: <code>OIDC_PROVIDERS</code>,
      })}
    </Text>
  );
  return (
    <Row
      label={t('Sign-in')}
      about={data ? about : ABSENT}
      to={permissions.includes('identity.read') ? '/identity' : undefined}
    />
  );
}
