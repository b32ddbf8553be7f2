import { Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api } from '../../api/client';
import { queries } from '../../api/queries';
import type { WorkspaceRecord } from '../../api/records';
import { useMay } from '../../api/session';
import { useWorkspaces } from '../../api/workspaces';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { RowMenu } from '../../components/row-menu';
import { PageLink } from '../../components/page-link';
import { ABSENT, usd } from '../../format/amounts';
import { useSpends, type GroupSpend } from '../../spend/use-spends';
import { WorkspaceMembers } from './workspace-members';
import { WorkspaceSettings } from './workspace-settings';
import { t } from '../../text/translate';

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.workspaces });

/** The permissions of the session on workspaces. */
interface Rights {
  readonly canEdit: boolean;
  readonly canManage: boolean;
  readonly canAddMembers: boolean;
  readonly canReadSpend: boolean;
}

const columnsWith = (rights: Rights, spendOf: (id: string) => GroupSpend): Column<WorkspaceRecord>[] => [
  {
    header: t('Name'),
    cell: ({ id, name }) => (
      <PageLink to="/workspaces/$id" params={{ id }}>
        {name}
      </PageLink>
    ),
  },
  { header: t('Slug'), cell: ({ slug }) => <code>{slug}</code>, isSecondary: true },
  ...(rights.canReadSpend
    ? [
        {
          header: t('Spent'),
          cell: ({ id }: WorkspaceRecord) => usd(spendOf(id).spend),
          sortBy: ({ id }: WorkspaceRecord) => spendOf(id).spend,
          isNumeric: true,
        },
      ]
    : []),
  { header: t('Description'), cell: ({ description }) => description ?? ABSENT },
  { header: t('Default model'), cell: ({ default_text_model }) => default_text_model ?? ABSENT, isSecondary: true },
  { header: t('Made'), cell: ({ created_at }) => <Ago iso={created_at} /> },
  ...(rights.canEdit || rights.canManage || rights.canAddMembers
    ? [
        {
          header: t('Actions'),
          cell: (workspace: WorkspaceRecord) => <Actions workspace={workspace} rights={rights} />,
        },
      ]
    : []),
];

interface ActionsProps {
  readonly workspace: WorkspaceRecord;
  readonly rights: Rights;
}

function Actions({ workspace, rights }: ActionsProps): ReactNode {
  const remove = async (): Promise<void> => {
    await api.DELETE('/api/v1/workspaces/{id}', { params: { path: { id: workspace.id } } });
    await changed();
  };
  return (
    <RowMenu name={workspace.name}>
      {rights.canAddMembers && <WorkspaceMembers workspace={workspace} />}
      {rights.canEdit && <EditWorkspace workspace={workspace} />}
      {rights.canEdit && <WorkspaceSettings workspace={workspace} />}
      {rights.canManage && (
        <ConfirmButton
          label={t('Delete')}
          subject={workspace.name}
          question={t('Workspaces with keys or interns are not deleted.')}
          onConfirm={remove}
          isRemoval
        />
      )}
    </RowMenu>
  );
}

interface Fields {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly default_text_model: string;
}

const bodyOf = ({ description, default_text_model, ...rest }: Fields) => ({
  ...rest,
  description: description || null,
  default_text_model: default_text_model || null,
});

const changesOf = (changes: Partial<Fields>) => ({
  ...changes,
  ...('description' in changes ? { description: changes.description || null } : {}),
  ...('default_text_model' in changes ? { default_text_model: changes.default_text_model || null } : {}),
});

const EMPTY: Fields = { name: '', slug: '', description: '', default_text_model: '' };

/** Workspaces separate keys, files, credentials and interns. */
export function WorkspacesPage(): ReactNode {
  const workspaces = useWorkspaces();
  const rights = {
    canEdit: useMay('workspaces.write'),
    canManage: useMay('workspaces.manage'),
    canAddMembers: useMay('workspace-members.write'),
    canReadSpend: useMay('usage.sums'),
  };
  const { of: spendOf } = useSpends('workspace', rights.canReadSpend);
  const create = async (values: Fields): Promise<void> => {
    await api.POST('/api/v1/workspaces', { body: bodyOf(values) });
    await changed();
  };
  return (
    <Stack>
      <PageHeader title={t('Workspaces')} about={t('Keys, files, credentials and interns belong to a workspace.')}>
        {rights.canManage && (
          <FormModal
            label={t('Create')}
            aria-label={t('Create workspace')}
            title={t('Create a workspace')}
            action={t('Create')}
            initial={EMPTY}
            onSubmit={create}
          >
            {(values, change) => <WorkspaceFields values={values} onChange={change} />}
          </FormModal>
        )}
      </PageHeader>
      <Loaded query={workspaces}>
        {(rows) => (
          <DataTable
            label={t('Workspaces')}
            columns={columnsWith(rights, spendOf)}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No workspaces.')}
          />
        )}
      </Loaded>
    </Stack>
  );
}

export function EditWorkspace({ workspace }: { readonly workspace: WorkspaceRecord }): ReactNode {
  const { id, name, slug, description, default_text_model } = workspace;
  const save = async (_values: Fields, changes: Partial<Fields>): Promise<void> => {
    await api.PATCH('/api/v1/workspaces/{id}', { params: { path: { id } }, body: changesOf(changes) });
    await changed();
  };
  return (
    <FormModal
      label={t('Edit')}
      aria-label={t('Edit {name}', { name })}
      title={t('Edit the workspace')}
      action={t('Save')}
      size="compact-sm"
      variant="default"
      initial={{ name, slug, description: description ?? '', default_text_model: default_text_model ?? '' }}
      onSubmit={save}
    >
      {(values, change) => <WorkspaceFields values={values} onChange={change} />}
    </FormModal>
  );
}

interface WorkspaceFieldsProps {
  readonly values: Fields;
  readonly onChange: (part: Partial<Fields>) => void;
}

function WorkspaceFields({ values, onChange }: WorkspaceFieldsProps): ReactNode {
  const field = (name: keyof Fields, label: string, isRequired: boolean): ReactNode => (
    <TextInput
      label={label}
      required={isRequired}
      value={values[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      {field('name', t('Name'), true)}
      {field('slug', t('Slug'), true)}
      {field('description', t('Description'), false)}
      {field('default_text_model', t('Default text model'), false)}
    </>
  );
}
