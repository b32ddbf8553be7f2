import { Badge, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProviderNames } from '../../api/providers';
import type { HealthRecord } from '../../api/records';
import { Ago } from '../../components/ago';
import { SectionHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, count, milliseconds } from '../../format/amounts';
import { DataTable, type Column } from '../../table/data-table';
import { CHANNEL_STATES } from '../channels/channel-words';
import { nameOfCheck } from './health-problems';
import { rich } from '../../text/rich';
import { plural, t } from '../../text/translate';

type Endpoint = HealthRecord['endpoints'][number];
type Channel = NonNullable<HealthRecord['channels']>[number];
type Check = HealthRecord['checks'][number];
type Process = HealthRecord['processes'][number];

interface TableProps {
  readonly health: HealthRecord;
}

const STATES = {
  closed: [t('Well'), 'green'],
  half_open: [t('Tried now'), 'orange'],
  open: [t('Rests'), 'red'],
  ...CHANNEL_STATES,
} as const;

function State({ state }: { readonly state: keyof typeof STATES }): ReactNode {
  const [label, colour] = STATES[state];
  return (
    <Badge color={colour} variant={colour === 'gray' ? 'default' : 'outline'}>
      {label}
    </Badge>
  );
}

const failure = (found: { readonly status: number; readonly at: string } | null): ReactNode =>
  found ? <>{rich('Status {status}, {ago}', { status: found.status, ago: <Ago iso={found.at} /> })}</> : ABSENT;

/** A link to the failed calls of a provider. */
const callsOf = ({ provider }: { readonly provider: string }): ReactNode => (
  <PageLink
    to="/calls"
    search={{ provider, status: 'errors' }}
    aria-label={t('Failed calls of {provider}', { provider })}
  >
    {t('Failed calls')}
  </PageLink>
);

const uptime = (percent: number | null): string => (percent === null ? ABSENT : `${percent} %`);

const ADDRESS: Column<Endpoint> = {
  header: t('Address'),
  cell: ({ base_url: address }) => address ?? t('Of the provider'),
};
const IN_PROCESSES: Column<Endpoint> = {
  header: t('In processes'),
  cell: ({ open_in: processes }) => count(processes),
  isNumeric: true,
};

/** Omits columns that most services do not need, because they have one process and use the providers' addresses. */
const endpointColumns = ({ endpoints, processes }: HealthRecord): Column<Endpoint>[] => [
  { header: t('Provider'), cell: ({ provider_name: name }) => name },
  { header: t('Model'), cell: ({ model }) => model },
  { header: t('Kind'), cell: ({ capability }) => capability },
  ...(endpoints.some(({ base_url: address }) => address !== null) ? [ADDRESS] : []),
  { header: t('State'), cell: ({ state }) => <State state={state} /> },
  { header: t('Since'), cell: ({ opened_at: since }) => (since ? <Ago iso={since} /> : ABSENT) },
  ...(processes.length > 1 ? [IN_PROCESSES] : []),
  { header: t('Last failure'), cell: ({ last_failure: found }) => failure(found) },
  { header: t('Calls in 1 h'), cell: ({ requests_1h: calls }) => count(calls), isNumeric: true },
  { header: t('Uptime in 1 h'), cell: ({ uptime_1h: percent }) => uptime(percent), isNumeric: true },
  { header: t('Calls'), cell: callsOf },
];

const hiddenWords = (hidden: number): string =>
  plural(
    hidden,
    '{count} further endpoint with fewer errors and calls is not shown.',
    '{count} further endpoints with fewer errors and calls are not shown.',
  );

/** The endpoints that were called, with their circuit breakers. */
export function Endpoints({ health }: TableProps): ReactNode {
  const { endpoints, endpoints_total: total } = health;
  const hidden = total - endpoints.length;
  return (
    <section aria-label={t('Endpoints')}>
      <SectionHeader
        title={t('Endpoints')}
        about={
          t(
            'Those that this replica called since it started. One rests after failures in a row, in ' +
              'each process alone.',
          ) + (hidden > 0 ? ` ${hiddenWords(hidden)}` : '')
        }
      />
      <DataTable
        label={t('Endpoints')}
        columns={endpointColumns(health)}
        rows={endpoints}
        rowKey={(_, index) => String(index)}
        empty={t('No endpoint was called since the service started. Make a call in the playground.')}
      />
    </section>
  );
}

function ProviderName({ slug }: { readonly slug: string }): ReactNode {
  return useProviderNames()(slug);
}

const CHANNEL_COLUMNS: readonly Column<Channel>[] = [
  { header: t('Provider'), cell: ({ provider }) => <ProviderName slug={provider} /> },
  { header: t('Channel'), cell: ({ id, name, label }) => name ?? (id.startsWith('env:') ? t('Environment') : label) },
  { header: t('State'), cell: ({ state }) => <State state={state} /> },
  { header: t('Until'), cell: ({ resting_until: until }) => (until ? <Ago iso={until} /> : ABSENT) },
  { header: t('Last success'), cell: ({ last_success_at: at }) => (at ? <Ago iso={at} /> : ABSENT) },
  { header: t('Last error'), cell: ({ last_error: found }) => failure(found) },
  { header: t('Calls in 1 h'), cell: ({ requests_1h: calls }) => count(calls), isNumeric: true },
  { header: t('Errors in 1 h'), cell: ({ errors_1h: errors }) => count(errors), isNumeric: true },
  { header: t('Calls'), cell: callsOf },
];

/** The platform's credentials at vendors, and whether the vendors accept them. */
export function Channels({ health: { channels, channels_total: total } }: TableProps): ReactNode {
  return (
    <section aria-label={t('Channels')}>
      <SectionHeader title={t('Channels')} about={t("The platform's keys at vendors.")}>
        <PageLink to="/channels">
          {total === null
            ? t('Channels')
            : t('All {total}', { total: plural(total, '{count} channel', '{count} channels') })}
        </PageLink>
      </SectionHeader>
      {channels === null ? (
        <Text c="dimmed">{t('The database did not respond, so they are not known.')}</Text>
      ) : (
        <DataTable
          label={t('Channels')}
          columns={CHANNEL_COLUMNS}
          rows={channels}
          rowKey={({ id }) => id}
          empty={t(
            'No channels yet, so only models of this service itself can be called. Add one on the page Channels.',
          )}
        />
      )}
    </section>
  );
}

interface PanelProps<T> {
  readonly title: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly empty: string;
}

/** A short table with a frame. Each row has a name. */
function Panel<T extends { readonly name: string }>({ title, ...table }: PanelProps<T>): ReactNode {
  return (
    <Paper withBorder p="sm" miw={0}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <DataTable label={title} rowKey={({ name }) => name} {...table} />
    </Paper>
  );
}

function Works({ isRight, children }: { readonly isRight: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <Badge color={isRight ? 'green' : 'red'} variant="outline">
      {children}
    </Badge>
  );
}

const CHECK_COLUMNS: readonly Column<Check>[] = [
  { header: t('Part'), cell: ({ name }) => nameOfCheck(name) },
  {
    header: t('State'),
    cell: ({ ok }) => <Works isRight={ok}>{ok ? t('Works') : t('Failing')}</Works>,
  },
  { header: t('Responded in'), cell: ({ latency_ms: ms }) => milliseconds(ms), isNumeric: true },
];

export function Checks({ health: { checks } }: TableProps): ReactNode {
  return <Panel title={t('What it needs')} columns={CHECK_COLUMNS} rows={checks} empty={t('Nothing.')} />;
}

const PROCESS_COLUMNS: readonly Column<Process>[] = [
  { header: t('Process'), cell: ({ name }) => name },
  {
    header: t('State'),
    cell: ({ responds }) => <Works isRight={responds}>{responds ? t('Responds') : t('Silent')}</Works>,
  },
  { header: t('Started'), cell: ({ started_at: at }) => (at ? <Ago iso={at} /> : ABSENT) },
  { header: t('Open calls'), cell: ({ open_calls: calls }) => count(calls), isNumeric: true },
  { header: t('Refused in 1 h'), cell: ({ refused_1h: calls }) => count(calls), isNumeric: true },
];

export function Processes({ health: { processes } }: TableProps): ReactNode {
  return <Panel title={t('Processes')} columns={PROCESS_COLUMNS} rows={processes} empty={t('None responds.')} />;
}
