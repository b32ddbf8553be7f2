import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session';
import { PageHeader } from '../../components/page-header';
import { Balance } from './balance';
import { Ledger } from './ledger';
import { Months } from './months';

/** What is left and for how long, the bill of each month, and each entry of the ledger. */
export function CreditsPage(): ReactNode {
  const readsUsage = useMay('usage.sums');
  return (
    <Stack>
      <PageHeader
        title="Credits"
        about="Prepaid, in USD. Who operates this installation grants them: npm run -s operator -- credits grant --help"
      />
      <Balance />
      {readsUsage && <Months />}
      <Ledger />
    </Stack>
  );
}
