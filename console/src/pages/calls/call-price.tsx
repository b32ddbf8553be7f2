import { Paper, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';
import { count, exactUsd } from '../../format/amounts';

/** What the call cost, line by line, and what of it was charged here. */
export function CallPrice({ call }: { readonly call: CallDetails }): ReactNode {
  const rows = call.price_lines.map(({ item, quantity, unit_price, amount }) => [
    unit_price === null ? item : `${item}: ${count(quantity)} at $${unit_price}`,
    exactUsd(amount),
  ]);
  return (
    <Paper withBorder p="sm" miw={0}>
      <Title order={2} mb="xs">
        Price
      </Title>
      <Table
        aria-label="Price"
        data={{
          head: ['Line', 'USD'],
          body: [
            ...rows,
            ['Price of the call', exactUsd(call.total_cost)],
            ['Billed to the credits', exactUsd(call.usage)],
          ],
        }}
      />
      {call.is_byok && (
        <Text size="xs" c="dimmed" mt="xs">
          The call used an own credential: its provider bills it.
        </Text>
      )}
    </Paper>
  );
}
