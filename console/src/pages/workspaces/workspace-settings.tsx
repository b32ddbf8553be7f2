import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { queries } from '../../api/queries';
import { QUERY_KEYS } from '../../api/query-keys';
import type { WorkspaceRecord, WorkspaceSettings as Settings } from '../../api/records';
import { Dialog } from '../../components/dialog';
import { CallLimitFields, LimitNumber } from '../../components/call-limit-fields';
import { Loaded } from '../../components/loaded';
import { ActionButton } from '../../components/row-menu';
import { SavedForm } from '../../components/saved-form';
import { t } from '../../text/translate';

interface WorkspaceSettingsProps {
  readonly workspace: WorkspaceRecord;
}

/** An action that opens the settings of a workspace. */
export function WorkspaceSettings({ workspace: { id, name } }: WorkspaceSettingsProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <ActionButton label={t('Limits')} aria-label={t('Limits of {name}', { name })} onClick={open} />
      <Dialog opened={isOpen} onClose={close} title={t('Limits of {name}', { name })} size="lg">
        <SettingsForm id={id} />
      </Dialog>
    </>
  );
}

/** Limits of all keys of a workspace. */
export function SettingsForm({ id }: { readonly id: string }): ReactNode {
  const path = { params: { path: { id } } };
  const queryKey = QUERY_KEYS.workspaceSettings(id);
  const settings = useQuery({
    queryKey,
    queryFn: async () => (await body(api.GET('/api/v1/workspaces/{id}/settings', path))).data,
  });
  const save = async (_values: Settings, changes: Partial<Settings>): Promise<void> => {
    const { data } = await body(api.PATCH('/api/v1/workspaces/{id}/settings', { ...path, body: changes }));
    queries.setQueryData(queryKey, data);
  };
  return (
    <Loaded query={settings}>
      {(initial) => (
        <SavedForm title={t('Limits')} initial={initial} onSave={save}>
          {(values, change) => (
            <>
              <LimitNumber
                label={t('Maximum output tokens if a request sets none')}
                description={t('Empty: the default of the service')}
                value={values.default_max_output_tokens}
                onChange={(tokens) => change({ default_max_output_tokens: tokens })}
              />
              <LimitNumber
                label={t('Requests a minute')}
                description={t('Calls of models. Empty: no limit')}
                value={values.requests_per_minute}
                onChange={(requests) => change({ requests_per_minute: requests })}
              />
              <CallLimitFields values={values} onChange={change} />
            </>
          )}
        </SavedForm>
      )}
    </Loaded>
  );
}
