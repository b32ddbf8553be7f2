import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session';
import { PageLink } from '../../components/page-link';
import { t } from '../../text/translate';

/** The height of the charts that the notice replaces. */
export const HEIGHT_PX = 330;

/** The next steps. They are shown instead of the charts as long as there are no calls. */
export function NothingYet(): ReactNode {
  const canChat = useMay('inference');
  const canCreateKeys = useMay('keys.write');
  return (
    <Paper withBorder p="sm" mih={HEIGHT_PX}>
      <Title order={2} mb="xs">
        {t('No calls in this time')}
      </Title>
      <Stack gap="xs">
        {canChat && (
          <PageLink to="/playground" underline="always">
            {t('Chat in the playground')}
          </PageLink>
        )}
        {canCreateKeys && (
          <PageLink to="/keys" underline="always">
            {t('Create a key for a program')}
          </PageLink>
        )}
        <PageLink to="/models" underline="always">
          {t('See which models can be called')}
        </PageLink>
      </Stack>
    </Paper>
  );
}
