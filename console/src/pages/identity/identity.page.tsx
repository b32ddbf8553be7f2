import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/page-header';
import { FederationPolicies } from './federation-policies';
import { Providers } from './providers';
import { t } from '../../text/translate';

/** How people and workloads sign in. */
export function IdentityPage(): ReactNode {
  return (
    <Stack>
      <PageHeader
        title={t('Identity')}
        about={t('Providers through which members sign in, and workloads that get tokens instead of keys.')}
      />
      <Providers />
      <FederationPolicies />
    </Stack>
  );
}
