import { Paper, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';
import { count, exactUsd, perMillion, usd } from '../../format/amounts';

/** Items that are counted in tokens. */
const TOKEN_ITEMS: Readonly<Record<string, string>> = {
  prompt: 'Prompt',
  completion: 'Completion',
  cache_read: 'Prompt, read from the cache',
  cache_write: 'Prompt, written to the cache',
  cache_write_1h: 'Prompt, written to the cache for an hour',
  reasoning: 'Reasoning',
  input_audio: 'Audio of the prompt',
  output_audio: 'Audio of the completion',
  output_image: 'Images of the completion',
};

/** A word of the API as one of the page. */
function wordOf(item: string): string {
  const words = item.replaceAll('_', ' ');
  return TOKEN_ITEMS[item] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const lineText = (item: string, quantity: number, unitPrice: string): string =>
  item in TOKEN_ITEMS
    ? `${wordOf(item)}: ${count(quantity)} tokens at ${perMillion(unitPrice)} per 1M`
    : `${wordOf(item)}: ${count(quantity)} at $${unitPrice}`;

/** What the call cost, line by line, and what of it was charged here. */
export function CallPrice({ call }: { readonly call: CallDetails }): ReactNode {
  const { price_lines: lines, total_cost: total, usage: billed, is_byok: isOwn, provider_name: provider } = call;
  const rows = lines
    .filter(({ amount, quantity }) => amount !== 0 || quantity !== 0)
    .map(({ item, quantity, unit_price, amount }) => [
      unit_price === null ? wordOf(item) : lineText(item, quantity, unit_price),
      exactUsd(amount),
    ]);
  return (
    <Paper withBorder p="sm" miw={0}>
      <Title order={2} mb="xs">
        Price
      </Title>
      {total === 0 && billed === 0 ? (
        <Text size="sm">Nothing was charged.</Text>
      ) : (
        <Table
          aria-label="Price"
          data={{
            head: ['Line', 'USD'],
            body: [
              ...rows,
              ...(isOwn || total !== billed ? [['Price of the call', exactUsd(total)]] : []),
              ['Billed to the credits', exactUsd(billed)],
            ],
          }}
        />
      )}
      {isOwn && (
        <Text size="sm" mt="xs">
          {usd(billed)} here, about {usd(total)} at {provider ?? 'the provider'}: the call used an own credential, and
          its provider bills it.
        </Text>
      )}
      {call.price_assumed && (
        <Text size="xs" c="dimmed" mt="xs">
          The price of the model is not known: it was billed at the highest of its family.
        </Text>
      )}
    </Paper>
  );
}
