import { Paper, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';
import { count, exactUsd, usd } from '../../format/amounts';

/** What the call cost, line by line, and what of it was charged here. */
export function CallPrice({ call }: { readonly call: CallDetails }): ReactNode {
  const { price_lines: lines, total_cost: total, usage: billed, is_byok: isOwn, provider_name: provider } = call;
  const rows = lines
    .filter(({ amount, quantity }) => amount !== 0 || quantity !== 0)
    .map(({ item, quantity, unit_price, amount }) => [
      unit_price === null ? item : `${item}: ${count(quantity)} at $${unit_price}`,
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
