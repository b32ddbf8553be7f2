import { Badge, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { queries } from '../../api/queries';
import type { ByokRecord } from '../../api/records';
import { useMay, useSignedIn } from '../../api/session';
import { ofAllWorkspaces, useWorkspaceNames } from '../../api/workspaces';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { KeyField, ProviderSelect } from '../../components/provider-fields';
import { WorkspaceField } from '../../components/workspace-field';
import { useScope } from '../../scope/use-scope';
import { t } from '../../text/translate';

const PAGE = 100;

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.credentials });
const pathOf = (id: string) => ({ params: { path: { id } } });

const COLUMNS: readonly Column<ByokRecord>[] = [
  { header: t('Provider'), cell: ({ provider }) => provider },
  { header: t('Name'), cell: ({ name }) => name },
  { header: t('Credential'), cell: ({ label }) => <code>{label}</code> },
  {
    header: t('State'),
    cell: ({ disabled, is_fallback }) => (
      <Group gap={4} wrap="nowrap">
        <Badge color={disabled ? 'gray' : 'green'} variant={disabled ? 'default' : 'outline'}>
          {disabled ? t('Disabled') : t('Active')}
        </Badge>
        {is_fallback && <Badge variant="default">{t('Fallback')}</Badge>}
      </Group>
    ),
  },
  { header: t('Made'), cell: ({ created_at }) => <Ago iso={created_at} /> },
];

const ACTIONS: Column<ByokRecord> = {
  header: t('Actions'),
  cell: ({ id, name, disabled }) => (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        label={disabled ? t('Enable') : t('Disable')}
        subject={name}
        question={disabled ? t('Calls can use it from now on.') : t('Calls no longer use it. It can be enabled again.')}
        onConfirm={async () => {
          await api.PATCH('/api/v1/byok/{id}', { ...pathOf(id), body: { disabled: !disabled } });
          await changed();
        }}
      />
      <ConfirmButton
        label={t('Delete')}
        isRemoval
        subject={name}
        question={t('The credential is deleted for good.')}
        onConfirm={async () => {
          await api.DELETE('/api/v1/byok/{id}', pathOf(id));
          await changed();
        }}
      />
    </Group>
  ),
};

/** If no workspace is given, the API uses the workspace of the session's key. */
const pageOf = async (workspace_id: string | undefined, offset: number): Promise<ByokRecord[]> =>
  (await body(api.GET('/api/v1/byok', { params: { query: { workspace_id, offset, limit: PAGE } } }))).data;

/** Removes duplicates, because a credential for all workspaces is in the list of each workspace. */
async function ofAccount(): Promise<ByokRecord[]> {
  const rows = await ofAllWorkspaces(pageOf, PAGE);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** The account's own credentials at providers, which its calls may use. */
export function CredentialsPage(): ReactNode {
  const canWrite = useMay('byok.write');
  const isAccountWide = useSignedIn().key_class === 'management';
  const nameOfWorkspace = useWorkspaceNames();
  const { workspace } = useScope();
  const credentials = useQuery({
    queryKey: QUERY_KEYS.credentials,
    queryFn: () => (isAccountWide ? ofAccount() : pageOf(undefined, 0)),
  });
  const columns = [
    ...COLUMNS,
    ...(isAccountWide
      ? [{ header: t('Workspace'), cell: (row: ByokRecord) => nameOfWorkspace(row.workspace_id) }]
      : []),
    ...(canWrite ? [ACTIONS] : []),
  ];
  return (
    <Stack>
      <PageHeader
        title={t('Provider credentials')}
        about={t('Your own keys at providers. They are sealed when they are stored, and no operation returns them.')}
      >
        {canWrite && <AddCredential />}
      </PageHeader>
      <Loaded query={credentials}>
        {(rows) => (
          <DataTable
            label={t('Provider credentials')}
            columns={columns}
            rows={
              workspace ? rows.filter(({ workspace_id }) => workspace_id === null || workspace_id === workspace) : rows
            }
            rowKey={({ id }) => id}
            empty={
              canWrite
                ? t("No provider credentials yet. Add one to call a provider's models.")
                : t('No provider credentials yet. An owner or an admin can add one.')
            }
          />
        )}
      </Loaded>
    </Stack>
  );
}

const INITIAL = {
  provider: null as string | null,
  name: '',
  key: '',
  is_fallback: false,
  workspace: null as string | null,
  all_workspaces: false,
};

async function add({ provider, name, key, is_fallback, workspace, all_workspaces }: typeof INITIAL): Promise<void> {
  const place = all_workspaces ? { workspace_id: null } : workspace ? { workspace_id: workspace } : {};
  await api.POST('/api/v1/byok', {
    body: { provider: provider ?? '', name: name || null, key, is_fallback, ...place },
  });
  await changed();
  // Models of the provider may now be callable.
  await queries.invalidateQueries({ queryKey: QUERY_KEYS.callableModels });
}

function AddCredential(): ReactNode {
  const { role } = useSignedIn();
  const ofWholeAccount = role === null || role === 'owner' || role === 'admin';
  return (
    <FormModal
      label={t('Add')}
      aria-label={t('Add credential')}
      title={t('Add a provider credential')}
      action={t('Add')}
      initial={INITIAL}
      onSubmit={add}
    >
      {(values, change) => (
        <>
          <ProviderSelect value={values.provider} onChange={(provider) => change({ provider })} />
          <TextInput
            label={t('Name')}
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <KeyField required value={values.key} onChange={(key) => change({ key })} />
          <Switch
            label={t("Only when the platform's credential fails")}
            checked={values.is_fallback}
            onChange={({ currentTarget: { checked } }) => change({ is_fallback: checked })}
          />
          {ofWholeAccount && (
            <Switch
              label={t('For all workspaces')}
              checked={values.all_workspaces}
              onChange={({ currentTarget: { checked } }) => change({ all_workspaces: checked })}
            />
          )}
          {!values.all_workspaces && (
            <WorkspaceField value={values.workspace} onChange={(workspace) => change({ workspace })} />
          )}
          <Text size="sm">
            {t(
              'The provider bills its calls to you. The limit of a key does not count them, unless the ' +
                'key has include_byok_in_limit.',
            )}
          </Text>
        </>
      )}
    </FormModal>
  );
}
