import { Badge, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { useKeyNames } from '../../api/keys';
import { QUERY_KEYS } from '../../api/query-keys';
import { queries } from '../../api/queries';
import type { FederationPolicy } from '../../api/records';
import { useMay } from '../../api/session';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { NamePicker } from '../../names/name-picker';
import { t } from '../../text/translate';

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.federationPolicies });

const columnsWith = (nameOfKey: (hash: unknown) => string): Column<FederationPolicy>[] => [
  { header: t('Name'), cell: ({ name }) => name },
  { header: t('Issuer'), cell: ({ issuer }) => issuer },
  { header: t('Subject'), cell: ({ subject }) => <code>{subject}</code> },
  { header: t('Acts as the key'), cell: ({ api_key_hash }) => nameOfKey(api_key_hash) },
  {
    header: t('State'),
    cell: ({ disabled }) => (
      <Badge color={disabled ? 'gray' : 'green'} variant={disabled ? 'default' : 'outline'}>
        {disabled ? t('Disabled') : t('Active')}
      </Badge>
    ),
  },
];

const ACTIONS: Column<FederationPolicy> = {
  header: t('Actions'),
  cell: ({ id, name, disabled }) => (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        label={disabled ? t('Enable') : t('Disable')}
        subject={name}
        question={disabled ? undefined : t('Its tokens are refused from now on. It can be enabled again.')}
        onConfirm={async () => {
          const at = { params: { path: { id } } };
          await api.PATCH('/api/v1/federation-policies/{id}', { ...at, body: { disabled: !disabled } });
          await changed();
        }}
      />
      <ConfirmButton
        label={t('Delete')}
        isRemoval
        subject={name}
        question={t('Its tokens are refused from now on.')}
        onConfirm={async () => {
          await api.DELETE('/api/v1/federation-policies/{id}', { params: { path: { id } } });
          await changed();
        }}
      />
    </Group>
  ),
};

/** The workloads that may exchange a token of their platform for a token of this gateway. */
export function FederationPolicies(): ReactNode {
  const canWrite = useMay('identity.write');
  const nameOfKey = useKeyNames();
  const policies = useQuery({
    queryKey: QUERY_KEYS.federationPolicies,
    queryFn: async () => (await body(api.GET('/api/v1/federation-policies'))).data,
  });
  const columns = columnsWith(nameOfKey);
  return (
    <section aria-label={t('Workloads')}>
      <SectionHeader
        title={t('Workloads')}
        about={t(
          'A workload shows the token of its platform, such as GitHub Actions or Kubernetes, and acts as a key.',
        )}
      >
        {canWrite && <AddPolicy />}
      </SectionHeader>
      <Loaded query={policies}>
        {(rows) => (
          <DataTable
            label={t('Workloads')}
            columns={canWrite ? [...columns, ACTIONS] : columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No policies yet. Add one so that a workload needs no stored key.')}
          />
        )}
      </Loaded>
    </section>
  );
}

const INITIAL = { name: '', issuer: '', subject: '', audience: '', api_key_hash: undefined as string | undefined };

async function add({ api_key_hash, ...texts }: typeof INITIAL): Promise<void> {
  await api.POST('/api/v1/federation-policies', { body: { ...texts, api_key_hash: api_key_hash ?? '' } });
  await changed();
}

function AddPolicy(): ReactNode {
  return (
    <FormModal
      label={t('Add')}
      aria-label={t('Add a workload')}
      title={t('Add a workload')}
      action={t('Add')}
      initial={INITIAL}
      onSubmit={add}
    >
      {(values, change) => {
        const field = (name: 'name' | 'issuer' | 'subject' | 'audience', label: string, example: string): ReactNode => (
          <TextInput
            label={label}
            placeholder={example}
            required
            value={values[name]}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        );
        return (
          <>
            {field('name', t('Name'), t('Deployments'))}
            {field('issuer', t('Issuer'), 'https://token.actions.githubusercontent.com')}
            {field('subject', t('Subject, exact'), 'repo:acme/app:ref:refs/heads/main')}
            {field('audience', t('Audience, exact'), 'https://gateway.example.com')}
            <NamePicker
              kind="key"
              label={t('Acts as the key')}
              value={values.api_key_hash}
              onChange={(hash) => change({ api_key_hash: hash })}
              isRequired
            />
          </>
        );
      }}
    </FormModal>
  );
}
