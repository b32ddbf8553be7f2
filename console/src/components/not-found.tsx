import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from './page-header';
import { PageLink } from './page-link';

export function NotFound(): ReactNode {
  return (
    <Stack>
      <PageHeader title="No such page" />
      <Text>
        <PageLink to="/">Go to the overview</PageLink>
      </Text>
    </Stack>
  );
}
