import { Paper, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProviderNames } from '../../api/providers';
import type { CallDetails } from '../../api/records';
import { count, exactUsd, ownPriceWords, perMillion } from '../../format/amounts';
import { t } from '../../text/translate';

/** Items that are counted in tokens. */
const TOKEN_ITEMS: Readonly<Record<string, string>> = {
  prompt: t('Prompt'),
  completion: t('Completion'),
  cache_read: t('Prompt, read from the cache'),
  cache_write: t('Prompt, written to the cache'),
  cache_write_1h: t('Prompt, written to the cache for an hour'),
  reasoning: t('Reasoning'),
  input_audio: t('Audio of the prompt'),
  output_audio: t('Audio of the completion'),
  output_image: t('Images of the completion'),
};

/** The display name of an item of the price, which the API names in snake case. */
function wordOf(item: string): string {
  const words = item.replaceAll('_', ' ');
  return TOKEN_ITEMS[item] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const lineText = (item: string, quantity: number, unitPrice: string): string =>
  item in TOKEN_ITEMS
    ? t('{item}: {quantity} tokens at {unitPrice} per 1M', {
        item: wordOf(item),
        quantity: count(quantity),
        unitPrice: perMillion(unitPrice),
      })
    : t('{item}: {quantity} at ${unitPrice}', { item: wordOf(item), quantity: count(quantity), unitPrice });

/** The price of the call, line by line, and the part that was charged here. */
export function CallPrice({ call }: { readonly call: CallDetails }): ReactNode {
  const { price_lines: lines, total_cost: total, usage: billed, is_byok: isOwn, provider_name: provider } = call;
  const nameOfProvider = useProviderNames();
  const rows = lines
    .filter(({ amount, quantity }) => amount !== 0 || quantity !== 0)
    .map(({ item, quantity, unit_price, amount }) => [
      unit_price === null ? wordOf(item) : lineText(item, quantity, unit_price),
      exactUsd(amount),
    ]);
  return (
    <Paper withBorder p="sm" miw={0}>
      <Title order={2} mb="xs">
        {t('Price')}
      </Title>
      {total === 0 && billed === 0 ? (
        <Text size="sm">{t('Nothing was charged.')}</Text>
      ) : (
        <Table
          aria-label={t('Price')}
          data={{
            head: [t('Line'), 'USD'],
            body: [
              ...rows,
              ...(isOwn || total !== billed ? [[t('Price of the call'), exactUsd(total)]] : []),
              [t('Billed to the credits'), exactUsd(billed)],
            ],
          }}
        />
      )}
      {isOwn && (
        <Text size="sm" mt="xs">
          {t('{billed}: the call used an own credential, and its provider bills it.', {
            billed: ownPriceWords(billed, { total, provider }, nameOfProvider),
          })}
        </Text>
      )}
      {call.price_assumed && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('The price of the model is not known: it was billed at the highest of its family.')}
        </Text>
      )}
    </Paper>
  );
}
