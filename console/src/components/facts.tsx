import { Paper, Table, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = readonly [label: string, value: ReactNode];

/** A table of labels and values, with a title. */
export function Facts({ title, rows }: { readonly title: string; readonly rows: readonly Fact[] }): ReactNode {
  return (
    <Paper withBorder p="sm" miw={0}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Table variant="vertical" layout="fixed" aria-label={title} style={{ overflowWrap: 'break-word' }}>
        <Table.Tbody>
          {rows.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" w="10rem">
                {label}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
