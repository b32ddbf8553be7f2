import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { keysChanged, useFormerSecrets } from '../../api/keys';
import type { FormerSecret } from '../../api/records';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { ReadFault } from '../../components/fault-alert';
import { moment } from '../../format/times';
import { t } from '../../text/translate';

const HASH_CHARACTERS = 12;

const COLUMNS: readonly Column<FormerSecret>[] = [
  { header: t('Secret'), cell: ({ label, hash }) => <code>{label ?? hash.slice(0, HASH_CHARACTERS)}</code> },
  { header: t('Replaced'), cell: ({ replaced_at }) => <Ago iso={replaced_at} /> },
  { header: t('Works until'), cell: ({ ends_at }) => moment(ends_at) },
];

interface FormerSecretsProps {
  readonly hash: string;
  readonly name: string;
  readonly canEnd: boolean;
}

/** The replaced secrets of a key that are still valid. Renders nothing if there are none. */
export function FormerSecrets({ hash, name, canEnd }: FormerSecretsProps): ReactNode {
  const secrets = useFormerSecrets(hash);
  if (secrets.error && !secrets.data) return <ReadFault error={secrets.error} onRetry={() => void secrets.refetch()} />;
  if (!secrets.data || secrets.data.length === 0) return null;
  const end = async (): Promise<void> => {
    await api.DELETE('/api/v1/keys/{hash}/former-secrets', { params: { path: { hash } } });
    await keysChanged();
  };
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('Old secrets that still work')}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('Old secrets that still work')}</Title>
        {canEnd && (
          <ConfirmButton
            label={t('End now')}
            subject={
              secrets.data.length === 1
                ? t('the old secret of {name}', { name })
                : t('the old secrets of {name}', { name })
            }
            question={t('Programs that still use it are refused from now on. The present secret goes on working.')}
            onConfirm={end}
          />
        )}
      </Group>
      <DataTable
        label={t('Old secrets')}
        columns={COLUMNS}
        rows={secrets.data}
        rowKey={(row) => row.hash}
        empty={t('None')}
      />
    </Paper>
  );
}
