import { Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { FaultAlert } from '../../components/fault-alert';
import { PageLink } from '../../components/page-link';
import { count, exactUsd, milliseconds } from '../../format/amounts';
import type { Exchange } from './exchange';

interface LaneViewProps {
  readonly model: string;
  readonly exchanges: readonly Exchange[];
}

/** What one model made of the prompts. Texts of models are shown as text, never as HTML. */
export function LaneView({ model, exchanges }: LaneViewProps): ReactNode {
  return (
    <Paper withBorder p="sm" miw={0} component="section" aria-label={model}>
      <Title order={2} className="wrap">
        {model}
      </Title>
      <Stack gap="md" mt="xs" aria-live="polite">
        {exchanges.length === 0 && <Text c="dimmed">No answer yet: write below, then press Enter.</Text>}
        {exchanges.map((exchange, at) => (
          <ExchangeView key={at} exchange={exchange} />
        ))}
      </Stack>
    </Paper>
  );
}

function ExchangeView({ exchange }: { readonly exchange: Exchange }): ReactNode {
  const { prompt, text, reasoning, toolCalls, images, audio, error } = exchange;
  return (
    <div>
      <Text size="sm" c="dimmed" className="wrap">
        {prompt}
      </Text>
      {reasoning && (
        <Text size="sm" fs="italic" className="wrap">
          {reasoning}
        </Text>
      )}
      {text && <Text className="wrap">{text}</Text>}
      {toolCalls.map((call, at) => (
        <Text key={at} size="sm" className="wrap">
          Calls the tool <code>{call.name}</code> with <code>{call.arguments || '{}'}</code>
        </Text>
      ))}
      {images.map((address) => (
        <Image key={address} src={address} alt={prompt} radius="sm" mt="xs" />
      ))}
      {audio && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio controls src={audio} aria-label={`Speech: ${prompt}`} style={{ width: '100%' }} />
      )}
      {error && <FaultAlert error={error} />}
      <Receipt exchange={exchange} />
    </div>
  );
}

/** The cost, below each answer. */
function Receipt({ exchange: { cost, tokens, tookMs, generationId } }: { readonly exchange: Exchange }): ReactNode {
  if (tookMs === null) return null;
  const parts = [
    ...(cost === null ? [] : [`Cost ${exactUsd(cost)}`]),
    ...(tokens === null ? [] : [`${count(tokens)} tokens`]),
    milliseconds(Math.round(tookMs)),
  ];
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {parts.join(' · ')}
      {generationId && (
        <>
          {' · '}
          <PageLink to="/calls/$id" params={{ id: generationId }} size="xs" underline="always">
            Call
          </PageLink>
        </>
      )}
    </Text>
  );
}
