import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from './page-header';
import { PageLink } from './page-link';
import { t } from '../text/translate';

export function NotFound(): ReactNode {
  return (
    <Stack>
      <PageHeader title={t('No such page')} />
      <Text>
        <PageLink to="/">{t('Go to the overview')}</PageLink>
      </Text>
    </Stack>
  );
}
