import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelRecord } from '../../api/records';
import { Ago } from '../../components/ago';
import { milliseconds, plural } from '../../format/amounts';
import { ChannelActions } from './channel-actions';
import { ChannelTestResult } from './channel-test-result';
import { capsOf, ChannelState, MEANINGS, modelsOf, nameOf, orderOf } from './channel-words';
import type { ChannelTester } from './use-channel-tester';

interface ChannelCardProps {
  readonly channel: ChannelRecord;
  /** The credentials of its provider. */
  readonly all: readonly ChannelRecord[];
  readonly providerName: string;
  readonly tester: ChannelTester;
}

/** A credential: how it fares, when it is used, and what can be done with it. */
export function ChannelCard({ channel, all, providerName, tester }: ChannelCardProps): ReactNode {
  const name = nameOf(channel);
  const meaning = MEANINGS[channel.state];
  return (
    <Paper withBorder p="sm" miw={0} component="article" aria-label={`${name} of ${providerName}`}>
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={3} size="h5" className="wrap" miw={0}>
            {name}
          </Title>
          <ChannelState channel={channel} />
          {channel.source === 'environment' && (
            <Badge variant="default" tt="none">
              Read-only
            </Badge>
          )}
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
        <ChannelActions channel={channel} all={all} subject={`${name} of ${providerName}`} tester={tester} />
      </Stack>
    </Paper>
  );
}

function factsOf(channel: ChannelRecord, all: readonly ChannelRecord[]): (readonly [string, ReactNode])[] {
  const { last_success_at: success, last_error: error, base_url: address, region, api_version: version } = channel;
  const headers = [...Object.keys(channel.headers), ...channel.secret_headers.map((name) => `${name} (secret)`)];
  const names = Object.entries(channel.model_names).map(([id, name]) => `${id} as ${name}`);
  return [
    ['Key', <code key="key">{channel.label}</code>],
    ['Order', orderOf(channel, all)],
    ['Rank', `Priority ${channel.priority}, weight ${channel.weight}`],
    ['Last success', success === null ? 'None seen' : <Ago iso={success} />],
    [
      'Last error',
      error === null ? (
        'None seen'
      ) : (
        <>
          Status {error.status}, <Ago iso={error.at} />
        </>
      ),
    ],
    ['Last hour', `${plural(channel.requests_1h, 'request')}, ${plural(channel.errors_1h, 'error')}`],
    ['Response begins (p50)', milliseconds(channel.p50_ms)],
    ['Limits', capsOf(channel)],
    ['Models', modelsOf(channel)],
    ...(names.length > 0 ? [['Names of models', names.join(', ')] as const] : []),
    ...(address === null ? [] : [['Address', address] as const]),
    ...(region === null ? [] : [['Region', region] as const]),
    ...(version === null ? [] : [['API version', version] as const]),
    ...(headers.length > 0 ? [['Headers', headers.join(', ')] as const] : []),
  ];
}
