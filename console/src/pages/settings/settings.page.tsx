import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/page-header';
import { OwnKeys, Profile, Sessions } from '../profile/profile';
import { AccountSettings } from './account-settings';
import { t } from '../../text/translate';

/** The settings of the signed-in person and of the account. */
export function SettingsPage(): ReactNode {
  return (
    <Stack>
      <PageHeader
        title={t('Settings')}
        about={t('Your profile, the settings of the account, the spend of your keys, and your sessions.')}
      />
      <Profile />
      <AccountSettings />
      <OwnKeys />
      {/* Last on the page, so that nothing moves if the list is longer than its placeholder. */}
      <Sessions />
    </Stack>
  );
}
