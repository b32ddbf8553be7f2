import { Code, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { readOperation } from './operation';
import { t } from '../../text/translate';

/** A tool call: its name, its arguments as a table, and its other effects. */
export function OperationView({ operation }: { readonly operation: string }): ReactNode {
  const { tool, arguments: values, effects } = readOperation(operation);
  return (
    <Stack gap="xs" miw={0}>
      <Text ff="monospace" fw={600}>
        {tool}
      </Text>
      <Table variant="vertical" aria-label={t('Arguments of {tool}', { tool })} className="arguments">
        <Table.Tbody>
          {values.map(([name, value], at) => (
            <Table.Tr key={at}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>
                <Code block={value.includes('\n')} className="wrap">
                  {value}
                </Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {effects.map((effect) => (
        <Text key={effect} size="sm" fw={600} className="wrap">
          {effect}
        </Text>
      ))}
    </Stack>
  );
}
