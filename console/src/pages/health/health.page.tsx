import { Alert, Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useHealth } from '../../api/health';
import type { HealthRecord } from '../../api/records';
import { Ago } from '../../components/ago';
import { Facts, type Fact } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, count, milliseconds } from '../../format/amounts';
import { Checks, Channels, Endpoints, Processes } from './health-tables';
import { problemsOf, type Problem } from './health-problems';
import { plural, t } from '../../text/translate';

/** The problems of the service, and what to do about them. */
export function HealthPage(): ReactNode {
  const health = useHealth();
  return (
    <Stack>
      <PageHeader
        title={t('Health')}
        about={t('What does not work comes first. Live in the header reads it every ten seconds.')}
      />
      <Loaded query={health}>
        {(found) =>
          found === null ? (
            <Text>{t("Only the operator's account reads how the service fares.")}</Text>
          ) : (
            <Report health={found} />
          )
        }
      </Loaded>
    </Stack>
  );
}

function Report({ health }: { readonly health: HealthRecord }): ReactNode {
  return (
    <>
      <Problems problems={problemsOf(health)} />
      <Endpoints health={health} />
      <Channels health={health} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Checks health={health} />
        <Processes health={health} />
        <Facts title={t('Copies and deliveries')} rows={copiesOf(health)} />
        <Facts title={t('Service')} rows={serviceOf(health)} />
      </SimpleGrid>
    </>
  );
}

function Problems({ problems }: { readonly problems: readonly Problem[] }): ReactNode {
  if (problems.length === 0)
    return (
      <Alert color="green" variant="outline" title={t('Everything works')} role="status">
        {t('No endpoint and no channel rests, and all that the service needs responds.')}
      </Alert>
    );
  return (
    <Stack component="section" aria-label={t('What does not work')} gap="xs">
      {problems.map(({ title, advice, isUrgent, link }) => (
        <Alert key={title} color={isUrgent ? 'red' : 'orange'} variant="outline" title={title}>
          <Text size="sm">
            {advice}{' '}
            {link && (
              <PageLink to={link.to} underline="always">
                {link.label}
              </PageLink>
            )}
          </Text>
        </Alert>
      ))}
    </Stack>
  );
}

const PHASES: Readonly<Record<HealthRecord['analytics']['phase'], string>> = {
  filling: t('Being built'),
  following: t('Follows the records'),
  starting: t('Starting'),
  stopped: t('Not read yet'),
};

const pendingWords = ({ pending, has_more: hasMore }: NonNullable<HealthRecord['webhooks']>): string =>
  hasMore ? t('{pending} or more', { pending: count(pending) }) : count(pending);

function copiesOf({ analytics, webhooks }: HealthRecord): Fact[] {
  const { store, phase, lag_seconds: lag } = analytics;
  const isCopy = store !== 'postgres';
  return [
    [t('Analytics'), isCopy ? PHASES[phase] : t('Read from the records (ANALYTICS_STORE)')],
    ...(isCopy ? [[t('Behind'), lag === null ? ABSENT : milliseconds(lag * 1_000)] as const] : []),
    [t('Deliveries that wait'), webhooks ? pendingWords(webhooks) : ABSENT],
    ...(webhooks?.oldest_at ? [[t('Oldest of them'), <Ago key="oldest" iso={webhooks.oldest_at} />] as const] : []),
    [
      t('Webhooks'),
      <PageLink key="webhooks" to="/webhooks">
        {t('Alerts and webhooks')}
      </PageLink>,
    ],
  ];
}

function serviceOf({ version, node_version: node, replica_id: replica, replicas, processes }: HealthRecord): Fact[] {
  const started = processes[0]?.started_at;
  return [
    [t('Version'), version],
    ['Node.js', node],
    [t('Started'), started ? <Ago key="started" iso={started} /> : ABSENT],
    [t('Replica that responded'), replica],
    [t('Replicas'), replicas ? plural(replicas.length, '{count} replica', '{count} replicas') : ABSENT],
    [
      t('Operations in full'),
      <Anchor key="docs" href="/docs" underline="always" inherit>
        {t('API documentation')}
      </Anchor>,
    ],
  ];
}
