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
import { t } from '../../text/translate';

type Secret = components['schemas']['EffectiveSecretResponse'];

const ORIGINS: Readonly<Record<Secret['scope'], string>> = {
  intern: t('This intern'),
  attached: t('Attached to it'),
  workspace: t('Its workspace'),
};

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
    { header: t('Name'), cell: ({ name }) => <code>{name}</code> },
    { header: t('Hosts'), cell: ({ hosts }) => hosts.join(', ') },
    { header: t('From'), cell: ({ scope }) => ORIGINS[scope] },
    { header: t('Stored'), cell: ({ created_at }) => <Ago iso={created_at} /> },
    {
      header: t('Actions'),
      cell: ({ name, scope }) =>
        scope === 'intern' && (
          <ConfirmButton
            label={t('Delete')}
            isRemoval
            subject={name}
            question={t('The intern can no longer use it.')}
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
      <SectionHeader
        title={t('Secrets')}
        about={t('A secret is sent to its hosts only, and the intern never sees its value.')}
      >
        <FormModal label={t('Add')} title={t('Add a secret')} action={t('Save')} initial={INITIAL} onSubmit={store}>
          {(values, change) => (
            <>
              <TextInput
                label={t('Name')}
                description={t('Lower-case words joined by underscores, such as api_token')}
                required
                data-autofocus
                value={values.name}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
              <PasswordInput
                label={t('Value')}
                required
                autoComplete="off"
                visibilityToggleButtonProps={{ 'aria-label': t('Show the value') }}
                value={values.value}
                onChange={(event) => change({ value: event.currentTarget.value })}
              />
              <TagsInput
                label={t('Hosts')}
                description={t('Where it may be sent, such as api.example.com')}
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
            label={t('Secrets')}
            columns={columns}
            rows={rows}
            rowKey={({ name, scope }) => `${scope} ${name}`}
            empty={t('It has no secrets. Add one for each service that it shall call.')}
          />
        )}
      </Loaded>
    </Stack>
  );
}
