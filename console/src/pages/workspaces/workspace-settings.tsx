import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { queries } from '../../api/queries';
import { QUERY_KEYS } from '../../api/query-keys';
import type { WorkspaceRecord, WorkspaceSettings as Settings } from '../../api/records';
import { CallLimitFields, LimitNumber } from '../../components/call-limit-fields';
import { Loaded } from '../../components/loaded';
import { SavedForm } from '../../components/saved-form';

interface WorkspaceSettingsProps {
  readonly workspace: WorkspaceRecord;
}

/** A button that opens the settings of a workspace. */
export function WorkspaceSettings({ workspace: { id, name } }: WorkspaceSettingsProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Limits of ${name}`} onClick={open}>
        Limits
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Limits of ${name}`}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SettingsForm id={id} />
      </Modal>
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
        <SavedForm title="All keys of the workspace" initial={initial} onSave={save}>
          {(values, change) => (
            <>
              <LimitNumber
                label="Output tokens where a caller names no bound"
                description="Empty: as the service is set up"
                value={values.default_max_output_tokens}
                onChange={(tokens) => change({ default_max_output_tokens: tokens })}
              />
              <LimitNumber
                label="Requests a minute"
                description="Calls of models. Empty: no limit"
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
