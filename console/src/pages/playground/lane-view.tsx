import { Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProviderNames } from '../../api/providers';
import { FaultAlert } from '../../components/fault-alert';
import { PageLink } from '../../components/page-link';
import { count, exactUsd, milliseconds, ownPriceWords } from '../../format/amounts';
import { AttachmentList } from './attachment-field';
import type { Exchange } from './exchange';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';

interface LaneViewProps {
  readonly model: string;
  readonly exchanges: readonly Exchange[];
  /** Whether other lanes are shown next to this lane. */
  readonly isCompared: boolean;
}

/** The output of one model for the prompts. It is always shown as text, never as HTML. */
export function LaneView({ model, exchanges, isCompared }: LaneViewProps): ReactNode {
  return (
    <Paper withBorder p="sm" miw={0} component="section" aria-label={model}>
      {isCompared && (
        <Title order={2} className="wrap" mb="xs">
          {model}
        </Title>
      )}
      <Stack gap="md" aria-live="polite">
        {exchanges.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('No answer yet: write below, then press Enter.')}
          </Text>
        )}
        {exchanges.map((exchange, at) => (
          <ExchangeView key={at} exchange={exchange} />
        ))}
      </Stack>
    </Paper>
  );
}

function ExchangeView({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const { prompt, attachments, text, reasoning, toolCalls, images, audio, tookMs, error } = exchange;
  return (
    <div>
      <Text size="sm" c="dimmed" className="wrap">
        {prompt}
      </Text>
      {attachments.length > 0 && <AttachmentList attached={attachments} />}
      {reasoning && (
        // Open while there is no other output. The reader can open it again.
        <details open={text === '' && tookMs === null}>
          <summary>{t('Reasoning')}</summary>
          <Text size="sm" c="dimmed" className="wrap">
            {reasoning}
          </Text>
        </details>
      )}
      {text && <Text className="wrap">{text}</Text>}
      {toolCalls.map((call, at) => (
        <Text key={at} size="sm" className="wrap">
          {rich('Calls the tool {name} with {arguments}', {
            name: <code>{call.name}</code>,
            arguments: <code>{call.arguments || '{}'}</code>,
          })}
        </Text>
      ))}
      {images.map((address) => (
        <Image key={address} src={address} alt={prompt} radius="sm" mt="xs" />
      ))}
      {audio && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio controls src={audio} aria-label={t('Speech: {prompt}', { prompt })} style={{ width: '100%' }} />
      )}
      {error && <FaultAlert error={error} />}
      <Receipt exchange={exchange} />
    </div>
  );
}

/** The cost, the tokens and the time of an exchange. */
function Receipt({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const { cost, ownPrice, tokens, tookMs, generationId } = exchange;
  const nameOfProvider = useProviderNames();
  if (tookMs === null) return null;
  const parts = [
    ...(cost === null
      ? []
      : [ownPrice ? ownPriceWords(cost, ownPrice, nameOfProvider) : t('Cost {cost}', { cost: exactUsd(cost) })]),
    ...(tokens === null ? [] : [t('{tokens} tokens', { tokens: count(tokens) })]),
    milliseconds(Math.round(tookMs)),
  ];
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {parts.join(' · ')}
      {generationId && (
        <>
          {' · '}
          <PageLink to="/calls/$id" params={{ id: generationId }} size="xs" underline="always">
            {t('Call')}
          </PageLink>
        </>
      )}
    </Text>
  );
}
