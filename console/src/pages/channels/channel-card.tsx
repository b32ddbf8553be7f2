import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelRecord } from '../../api/records';
import { Ago } from '../../components/ago';
import { milliseconds } from '../../format/amounts';
import { ChannelActions } from './channel-actions';
import { ChannelTestResult } from './channel-test-result';
import { capsOf, ChannelState, MEANINGS, modelsOf, nameOf, orderOf } from './channel-words';
import type { ChannelTester } from './use-channel-tester';
import { rich } from '../../text/rich';
import { plural, t } from '../../text/translate';

interface ChannelCardProps {
  readonly channel: ChannelRecord;
  /** The credentials of its provider. */
  readonly all: readonly ChannelRecord[];
  readonly providerName: string;
  readonly tester: ChannelTester;
}

/** A credential: its state, its order of use, and its actions. */
export function ChannelCard({ channel, all, providerName, tester }: ChannelCardProps): ReactNode {
  const name = nameOf(channel);
  const meaning = MEANINGS[channel.state];
  return (
    <Paper
      withBorder
      p="sm"
      miw={0}
      component="article"
      aria-label={t('{name} of {provider}', { name, provider: providerName })}
    >
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={3} size="h5" className="wrap" miw={0}>
            {name}
          </Title>
          <ChannelState channel={channel} />
          {channel.source === 'environment' && <Badge variant="default">{t('Read-only')}</Badge>}
        </Group>
        {meaning && <Text size="sm">{meaning}</Text>}
        <dl className="fact-grid">
          {factsOf(channel, all).map(([label, value]) => (
            <div key={label}>
              <Text component="dt" size="xs" c="dimmed">
                {label}
              </Text>
              <Text component="dd" size="sm" className="wrap">
                {value}
              </Text>
            </div>
          ))}
        </dl>
        <ChannelTestResult channel={channel} tester={tester} />
        <ChannelActions
          channel={channel}
          all={all}
          subject={t('{name} of {provider}', { name, provider: providerName })}
          tester={tester}
        />
      </Stack>
    </Paper>
  );
}

function factsOf(channel: ChannelRecord, all: readonly ChannelRecord[]): (readonly [string, ReactNode])[] {
  const { last_success_at: success, last_error: error, base_url: address, region, api_version: version } = channel;
  const headers = [
    ...Object.keys(channel.headers),
    ...channel.secret_headers.map((name) => t('{name} (secret)', { name })),
  ];
  const names = Object.entries(channel.model_names).map(([id, name]) => t('{id} as {name}', { id, name }));
  return [
    [t('Key'), <code key="key">{channel.label}</code>],
    [t('Order'), orderOf(channel, all)],
    [t('Rank'), t('Priority {priority}, weight {weight}', { priority: channel.priority, weight: channel.weight })],
    [t('Last success'), success === null ? t('None seen') : <Ago iso={success} />],
    [
      t('Last error'),
      error === null ? (
        t('None seen')
      ) : (
        <>{rich('Status {status}, {ago}', { status: error.status, ago: <Ago iso={error.at} /> })}</>
      ),
    ],
    [
      t('Last hour'),
      [
        plural(channel.requests_1h, '{count} request', '{count} requests'),
        plural(channel.errors_1h, '{count} error', '{count} errors'),
      ].join(', '),
    ],
    [t('Response begins (p50)'), milliseconds(channel.p50_ms)],
    [t('Limits'), capsOf(channel)],
    [t('Models'), modelsOf(channel)],
    ...(names.length > 0 ? [[t('Names of models'), names.join(', ')] as const] : []),
    ...(address === null ? [] : [[t('Address'), address] as const]),
    ...(region === null ? [] : [[t('Region'), region] as const]),
    ...(version === null ? [] : [[t('API version'), version] as const]),
    ...(headers.length > 0 ? [[t('Headers'), headers.join(', ')] as const] : []),
  ];
}
