import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useChannels } from '../../api/channels';
import { useProviderNames } from '../../api/providers';
import type { ChannelRecord } from '../../api/records';
import { useMay } from '../../api/session';
import { Loaded } from '../../components/loaded';
import { PageHeader, SectionHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ChannelCard } from './channel-card';
import { AddChannel } from './channel-forms';
import { useChannelTester, type ChannelTester } from './use-channel-tester';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';

/** The platform's credentials at vendors, which the calls of every account use. */
export function ChannelsPage(): ReactNode {
  const canWrite = useMay('channels.write');
  const channels = useChannels();
  const tester = useChannelTester();
  return (
    <Stack>
      <PageHeader
        title={t('Channels')}
        about={t("The platform's keys at vendors. Calls of every account use them. A stored key is never shown.")}
      >
        {canWrite && channels.data && <AddChannel onAdded={(id) => tester.test({ id })} />}
      </PageHeader>
      <Loaded query={channels}>
        {(rows) => (rows === null ? <NotOperator /> : <Groups channels={rows} tester={tester} />)}
      </Loaded>
    </Stack>
  );
}

function NotOperator(): ReactNode {
  return (
    <Text>
      {rich("Only the operator's account manages the keys of the platform. Keys of your own are under {link}.", {
        link: <PageLink to="/provider-credentials">{t('Provider credentials')}</PageLink>,
      })}
    </Text>
  );
}

interface GroupsProps {
  readonly channels: readonly ChannelRecord[];
  readonly tester: ChannelTester;
}

function Groups({ channels, tester }: GroupsProps): ReactNode {
  const nameOfProvider = useProviderNames();
  if (channels.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(
          'No channels yet, so only models of this service itself can be called. Add a key that a ' +
            'vendor gave you: it is tested at once, and calls of every account use it within seconds, ' +
            'without a restart. A variable such as OPENAI_API_KEY, set where the service starts, is ' +
            'listed here too.',
        )}
      </Text>
    );
  return (
    <>
      <Text size="sm">
        {t(
          'A call tries the credentials of a provider from top to bottom; credentials of one ' +
            'priority share calls by their weights. Up and Down change the priority. States and ' +
            'counts come from the process that responds.',
        )}
      </Text>
      {[...Map.groupBy(channels, ({ provider }) => provider)].map(([provider, all]) => {
        const name = nameOfProvider(provider);
        return (
          <Stack key={provider} component="section" aria-label={name} gap="sm">
            <SectionHeader title={name} />
            {all.map((channel) => (
              <ChannelCard key={channel.id} channel={channel} all={all} providerName={name} tester={tester} />
            ))}
          </Stack>
        );
      })}
    </>
  );
}
