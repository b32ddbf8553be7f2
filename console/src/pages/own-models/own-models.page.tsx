import { Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useChannels } from '../../api/channels';
import { useOwnProviders } from '../../api/own-providers';
import type { OwnProvider } from '../../api/records';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { Aliases } from './aliases';
import { AddProvider } from './provider-forms';
import { ProviderSection } from './provider-section';
import { t } from '../../text/translate';

/** Providers, models, prices and aliases that the operator can add at run time. */
export function OwnModelsPage(): ReactNode {
  const providers = useOwnProviders();
  /** The provider whose list of models is shown. */
  const [finding, setFinding] = useState<string>();
  return (
    <Stack gap="xl">
      <PageHeader
        title={t('Own models')}
        about={t(
          'Servers and contracts of your own, with their models and prices. Replicas serve them within seconds.',
        )}
      >
        {providers.data && <AddProvider onAdded={setFinding} />}
      </PageHeader>
      <Loaded query={providers}>
        {(rows) =>
          rows === null ? (
            <Text>{t("Only the operator's account manages the models of the platform.")}</Text>
          ) : (
            <>
              <Providers rows={rows} finding={finding} onFind={setFinding} />
              <Aliases />
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

interface ProvidersProps {
  readonly rows: readonly OwnProvider[];
  readonly finding: string | undefined;
  readonly onFind: (slug: string | undefined) => void;
}

function Providers({ rows, finding, onFind }: ProvidersProps): ReactNode {
  const channels = useChannels();
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(
          'No servers yet. Add one that speaks the API of OpenAI, Anthropic or Gemini, such as ' +
            'vLLM, Ollama or a gateway of your company: give its address and key, choose its models, ' +
            'and set what they cost.',
        )}
      </Text>
    );
  return (
    <Loaded query={channels}>
      {(all) =>
        rows.map((provider) => (
          <ProviderSection
            key={provider.slug}
            provider={provider}
            channels={(all ?? []).filter((channel) => channel.provider === provider.slug)}
            isFinding={finding === provider.slug}
            onFind={(isFinding) => onFind(isFinding ? provider.slug : undefined)}
          />
        ))
      }
    </Loaded>
  );
}
