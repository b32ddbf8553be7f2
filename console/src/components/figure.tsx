import { Box, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Placeholder } from './placeholder';

interface FigureProps {
  readonly label: string;
  /** Null while it is loading: a placeholder of the same size is shown. */
  readonly value: string | null;
  /** A line below the value; null while it is loading. */
  readonly more?: string | null;
}

/** A card of a definition list: a figure with its name. */
export function Figure({ label, value, more }: FigureProps): ReactNode {
  return (
    <Paper withBorder p="sm" className="figure">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Box component="dd" m={0}>
        {value === null ? (
          <Placeholder h={33} w="70%" />
        ) : (
          <Text fw={600} size="xl" className="figures">
            {value}
          </Text>
        )}
        {more !== undefined && (
          <Text size="xs" c="dimmed" mih="1lh">
            {more}
          </Text>
        )}
      </Box>
    </Paper>
  );
}
