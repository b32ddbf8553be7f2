import { Code, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session';
import { PageHeader } from '../../components/page-header';
import { Balance } from './balance';
import { Ledger } from './ledger';
import { Months, useMonths } from './months';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';

/** The remaining credits and how long they last, the bill of each month, and the entries of the ledger. */
export function CreditsPage(): ReactNode {
  const readsUsage = useMay('usage.sums');
  const months = useMonths(readsUsage);
  return (
    <Stack>
      <PageHeader
        title={t('Credits')}
        about={rich('Prepaid balance in USD. Who operates this installation grants credits: {command}', {
          command: <Code>npm run -s operator -- credits grant --help</Code>,
        })}
      />
      <Balance />
      {readsUsage && <Months months={months} />}
      {/* Rendered after the months, because their height is unknown until they are loaded. */}
      {(!readsUsage || !months.isPending) && <Ledger />}
    </Stack>
  );
}
