import { SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { inWorkspace } from '../../api/analytics';
import { useMay } from '../../api/session';
import { PageHeader } from '../../components/page-header';
import { useScope } from '../../scope/use-scope';
import { TopList } from '../../spend/top-list';
import { History } from './history';
import { OwnKey } from './own-key';
import { Totals } from './totals';
import { t } from '../../text/translate';

/** The spend and the calls of the account, and how long its credits last. */
export function OverviewPage(): ReactNode {
  return useMay('usage.sums') ? <AccountOverview /> : <OwnKey />;
}

function AccountOverview(): ReactNode {
  const scope = useScope();
  const filters = inWorkspace(scope.workspace);
  return (
    <Stack>
      <PageHeader title={t('Overview')} />
      <Totals workspace={scope.workspace} time={scope.time} />
      <History {...scope} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TopList first="model" filters={filters} time={scope.time} />
        <TopList first="api_key_id" filters={filters} time={scope.time} />
      </SimpleGrid>
    </Stack>
  );
}
