import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Session } from '../api/records';
import { PageHeader } from '../components/page-header';
import { PageLink } from '../components/page-link';
import type { NavigationItem } from './navigation';
import { t } from '../text/translate';

interface NotAllowedProps {
  readonly page: NavigationItem;
  readonly role: Session['role'];
}

/** Shown instead of a page that the session may not use, if the reader typed its address. */
export function NotAllowed({ page, role }: NotAllowedProps): ReactNode {
  return (
    <Stack>
      <PageHeader title={page.label} />
      <Text>
        {role === null
          ? t('This session was opened with an API key, which cannot read this page.')
          : t(
              'Your role, {role}, does not include this page. An owner or an admin of the account can ' +
                'change your role.',
              { role },
            )}
      </Text>
      <Text>
        <PageLink to="/">{t('Go to the overview')}</PageLink>
      </Text>
    </Stack>
  );
}
