import { Group, Paper, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FigureProps {
  readonly label: string;
  /** Null while it is read: a placeholder of the same size. */
  readonly value: string | null;
  readonly more?: string;
}

/** A card of a definition list: a figure with its name. */
export function Figure({ label, value, more }: FigureProps): ReactNode {
  return (
    <Paper withBorder p="sm" className="figure">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Group component="dd" gap={6} m={0} align="baseline">
        {value === null ? (
          <Skeleton h={22} w="70%" role="status" aria-label="Loading" />
        ) : (
          <Text component="span" fw={600} size="xl" className="figures">
            {value}
          </Text>
        )}
        {more && (
          <Text component="span" size="xs" c="dimmed">
            {more}
          </Text>
        )}
      </Group>
    </Paper>
  );
}
