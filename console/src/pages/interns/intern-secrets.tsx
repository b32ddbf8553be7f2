import { PasswordInput, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { secretsOf } from '../../api/interns';
import { queries } from '../../api/queries';
import type { components } from '../../api/schema';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';

type Secret = components['schemas']['EffectiveSecretResponse'];

const INITIAL = { name: '', value: '', hosts: [] as string[] };

/** The names and hosts of the secrets that an intern can use. The API never returns a value. */
export function InternSecrets({ id }: { readonly id: string }): ReactNode {
  const secrets = useQuery(secretsOf(id));
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: secretsOf(id).queryKey });
  const pathOf = (name: string) => ({ params: { path: { id, name } } });
  const store = async ({ name, value, hosts }: typeof INITIAL): Promise<void> => {
    await api.PUT('/api/v1/vault/interns/{id}/secrets/{name}', { ...pathOf(name), body: { value, hosts } });
    await changed();
  };
  const columns: Column<Secret>[] = [
    { header: 'Name', cell: ({ name }) => <code>{name}</code> },
    { header: 'Hosts', cell: ({ hosts }) => hosts.join(', ') },
    { header: 'From', cell: ({ scope }) => scope },
    { header: 'Stored', cell: ({ created_at }) => <Ago iso={created_at} /> },
    {
      header: 'Actions',
      cell: ({ name, scope }) =>
        scope === 'intern' && (
          <ConfirmButton
            label="Delete"
            subject={name}
            question="The intern can no longer use it."
            onConfirm={async () => {
              await api.DELETE('/api/v1/vault/interns/{id}/secrets/{name}', pathOf(name));
              await changed();
            }}
          />
        ),
    },
  ];
  return (
    <Stack>
      <SectionHeader title="Secrets" about="A secret is sent to its hosts only, and the intern never sees its value.">
        <FormModal label="Add" title="Add a secret" action="Save" initial={INITIAL} onSubmit={store}>
          {(values, change) => (
            <>
              <TextInput
                label="Name"
                description="Lower-case words joined by underscores, such as api_token"
                required
                data-autofocus
                value={values.name}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
              <PasswordInput
                label="Value"
                required
                autoComplete="off"
                visibilityToggleButtonProps={{ 'aria-label': 'Show the value' }}
                value={values.value}
                onChange={(event) => change({ value: event.currentTarget.value })}
              />
              <TagsInput
                label="Hosts"
                description="Where it may be sent, such as api.example.com"
                value={values.hosts}
                onChange={(hosts) => change({ hosts })}
              />
            </>
          )}
        </FormModal>
      </SectionHeader>
      <Loaded query={secrets}>
        {(rows) => (
          <DataTable
            label="Secrets"
            columns={columns}
            rows={rows}
            rowKey={({ name, scope }) => `${scope} ${name}`}
            empty="It has no secrets. Add one for each service that it shall call."
          />
        )}
      </Loaded>
    </Stack>
  );
}
