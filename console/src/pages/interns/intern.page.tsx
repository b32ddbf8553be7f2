import { Alert, Button, Stack, Tabs } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { internOf, internsChanged } from '../../api/interns';
import type { InternRecord } from '../../api/records';
import { ConfirmButton } from '../../components/confirm-button';
import { FaultAlert } from '../../components/fault-alert';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { useKeptFocus } from '../../components/use-kept-focus';
import { forgetTalk } from '../../talks/kept-talks';
import { InternChat } from './intern-chat';
import { InternFields } from './intern-fields';
import { tabOf } from './intern-search';
import { InternSecrets } from './intern-secrets';
import { InternSessions } from './intern-sessions';
import { InternSettingsForm } from './intern-settings';
import { useStart } from './start-intern';
import { InternState } from './interns.page';
import { t } from '../../text/translate';

const isRunning = ({ status }: InternRecord): boolean => status === 'running';

export function InternPage(): ReactNode {
  const { id } = useParams({ from: '/interns/$id' });
  const { tab = 'talk', session } = useSearch({ from: '/interns/$id' });
  const navigate = useNavigate({ from: '/interns/$id' });
  const intern = useQuery(internOf(id));
  const change = (chosen: string | undefined): void =>
    void navigate({
      search: { tab: 'talk', ...(chosen === undefined ? {} : { session: chosen }) },
      replace: true,
      resetScroll: false,
    });
  const leave = (deleted: string): void => {
    if (deleted === session) void navigate({ search: { tab: 'sessions' }, replace: true, resetScroll: false });
  };
  return (
    <Loaded query={intern}>
      {(record) => (
        <Stack>
          <PageHeader
            title={record.name}
            about={record.description ?? undefined}
            parent={<PageLink to="/interns">{t('Interns')}</PageLink>}
          >
            <InternState intern={record} />
            <Actions intern={record} />
          </PageHeader>
          {record.last_failure_message && (
            <Alert color="red" variant="outline" title={t('Its last start failed')}>
              {record.last_failure_message}
            </Alert>
          )}
          <Tabs
            value={tab}
            onChange={(value) => void navigate({ search: (now) => ({ ...now, tab: tabOf(value) }), replace: true })}
            keepMounted={false}
            keepMountedMode="display-none"
          >
            <Tabs.List aria-label={t('Intern')}>
              <Tabs.Tab value="talk">{t('Talk')}</Tabs.Tab>
              <Tabs.Tab value="sessions">{t('Sessions')}</Tabs.Tab>
              <Tabs.Tab value="secrets">{t('Secrets')}</Tabs.Tab>
              <Tabs.Tab value="settings">{t('Settings')}</Tabs.Tab>
            </Tabs.List>
            {/* Switching tabs must not cancel a turn or lose the conversation. */}
            <Tabs.Panel value="talk" pt="md" keepMounted>
              <InternChat key={id} id={id} isRunning={isRunning(record)} session={session} onChange={change} />
            </Tabs.Panel>
            <Tabs.Panel value="sessions" pt="md">
              <InternSessions id={id} isRunning={isRunning(record)} onDelete={leave} />
            </Tabs.Panel>
            <Tabs.Panel value="secrets" pt="md">
              <InternSecrets id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="settings" pt="md">
              <Stack>
                <InternFields intern={record} />
                <InternSettingsForm id={id} />
              </Stack>
            </Tabs.Panel>
          </Tabs>
        </Stack>
      )}
    </Loaded>
  );
}

function Actions({ intern: { id, name, status } }: { readonly intern: InternRecord }): ReactNode {
  const navigate = useNavigate();
  const path = { params: { path: { id } } };
  const starting = useStart(id);
  const suspending = useMutation({
    mutationFn: () => api.POST('/api/v1/interns/{id}/suspend', path),
    onSuccess: internsChanged,
  });
  const button = useKeptFocus(starting.isPending || suspending.isPending);
  const remove = async (): Promise<void> => {
    await api.DELETE('/api/v1/interns/{id}', {
      ...path,
      body: { acknowledge_workspace_loss: status === 'destroy_failed' },
    });
    forgetTalk(id);
    await navigate({ to: '/interns' });
    await internsChanged();
  };
  const error = starting.error ?? suspending.error;
  return (
    <>
      {status === 'running' ? (
        <Button
          ref={button}
          size="compact-sm"
          variant="default"
          loading={suspending.isPending}
          onClick={() => suspending.mutate()}
        >
          {t('Suspend')}
        </Button>
      ) : (
        <Button
          ref={button}
          size="compact-sm"
          variant="default"
          loading={starting.isPending}
          onClick={() => starting.mutate()}
        >
          {t('Start')}
        </Button>
      )}
      <ConfirmButton
        label={t('Delete')}
        isRemoval
        subject={name}
        question={t('Its disk, its conversations and its secrets are deleted for good.')}
        onConfirm={remove}
      />
      {error && <FaultAlert error={error} />}
    </>
  );
}
