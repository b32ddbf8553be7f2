import { Badge, Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { useKeyNames, useKeys } from '../../api/keys';
import { QUERY_KEYS } from '../../api/query-keys';
import { queries } from '../../api/queries';
import type { FederationPolicy } from '../../api/records';
import { useMay } from '../../api/session';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.federationPolicies });

const columnsWith = (nameOfKey: (hash: unknown) => string): Column<FederationPolicy>[] => [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Issuer', cell: ({ issuer }) => issuer },
  { header: 'Subject', cell: ({ subject }) => <code>{subject}</code> },
  { header: 'Acts as the key', cell: ({ api_key_hash }) => nameOfKey(api_key_hash) },
  {
    header: 'State',
    cell: ({ disabled }) => (
      <Badge color={disabled ? 'gray' : 'green'} variant={disabled ? 'default' : 'outline'}>
        {disabled ? 'Disabled' : 'Active'}
      </Badge>
    ),
  },
];

const ACTIONS: Column<FederationPolicy> = {
  header: 'Actions',
  cell: ({ id, name, disabled }) => (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        label={disabled ? 'Enable' : 'Disable'}
        subject={name}
        question={disabled ? undefined : 'Its tokens are refused from now on. It can be enabled again.'}
        onConfirm={async () => {
          const at = { params: { path: { id } } };
          await api.PATCH('/api/v1/federation-policies/{id}', { ...at, body: { disabled: !disabled } });
          await changed();
        }}
      />
      <ConfirmButton
        label="Delete"
        subject={name}
        question="Its tokens are refused from now on."
        onConfirm={async () => {
          await api.DELETE('/api/v1/federation-policies/{id}', { params: { path: { id } } });
          await changed();
        }}
      />
    </Group>
  ),
};

/** Which workloads exchange a token of their platform for one of this gateway. */
export function FederationPolicies(): ReactNode {
  const canWrite = useMay('identity.write');
  const nameOfKey = useKeyNames();
  const policies = useQuery({
    queryKey: QUERY_KEYS.federationPolicies,
    queryFn: async () => (await body(api.GET('/api/v1/federation-policies'))).data,
  });
  const columns = columnsWith(nameOfKey);
  return (
    <section aria-label="Workloads">
      <SectionHeader
        title="Workloads"
        about="A workload shows the token of its platform, such as GitHub Actions or Kubernetes, and acts as a key."
      >
        {canWrite && <AddPolicy />}
      </SectionHeader>
      <Loaded query={policies}>
        {(rows) => (
          <DataTable
            label="Workloads"
            columns={canWrite ? [...columns, ACTIONS] : columns}
            rows={rows}
            rowKey={({ id }) => id}
            empty="There is none. Add one so that a workload needs no stored key."
          />
        )}
      </Loaded>
    </section>
  );
}

const INITIAL = { name: '', issuer: '', subject: '', audience: '', api_key_hash: null as string | null };

async function add({ api_key_hash, ...texts }: typeof INITIAL): Promise<void> {
  await api.POST('/api/v1/federation-policies', { body: { ...texts, api_key_hash: api_key_hash ?? '' } });
  await changed();
}

function AddPolicy(): ReactNode {
  const keys = useKeys();
  return (
    <FormModal
      label="Add"
      aria-label="Add a workload"
      title="Add a workload"
      action="Add"
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
            {field('name', 'Name', 'Deployments')}
            {field('issuer', 'Issuer', 'https://token.actions.githubusercontent.com')}
            {field('subject', 'Subject, exact', 'repo:acme/app:ref:refs/heads/main')}
            {field('audience', 'Audience, exact', 'https://gateway.example.com')}
            <Select
              label="Acts as the key"
              required
              data={(keys.data ?? []).map(({ hash, name }) => ({ value: hash, label: name }))}
              value={values.api_key_hash}
              onChange={(hash) => change({ api_key_hash: hash })}
              searchable
            />
          </>
        );
      }}
    </FormModal>
  );
}
