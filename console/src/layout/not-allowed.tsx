import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Session } from '../api/records';
import { PageHeader } from '../components/page-header';
import { PageLink } from '../components/page-link';
import type { NavigationItem } from './navigation';

interface NotAllowedProps {
  readonly page: NavigationItem;
  readonly role: Session['role'];
}

/** In place of a page whose address was typed and whose operations the session may not call. */
export function NotAllowed({ page, role }: NotAllowedProps): ReactNode {
  return (
    <Stack>
      <PageHeader title={page.label} />
      <Text>
        {role === null
          ? 'This session was opened with an API key, which cannot read this page.'
          : `Your role, ${role}, does not include this page. An owner or an admin of the account can change your role.`}
      </Text>
      <Text>
        <PageLink to="/">Go to the overview</PageLink>
      </Text>
    </Stack>
  );
}
