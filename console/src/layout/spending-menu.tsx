import { Button, NumberInput, Popover, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import type { Session } from '../api/records';
import { changeSpending } from '../api/session';
import { FaultAlert } from '../components/fault-alert';
import { useWorkspaces } from '../api/workspaces';
import { usd } from '../format/amounts';
import { t } from '../text/translate';

/** The workspace and the limit of the session's calls (playground and interns), and their spend. */
export function SpendingMenu({ session }: { readonly session: Session }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const spent = usd(session.spent);
  const limit = session.limit === null ? null : usd(session.limit);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withinPortal position="bottom-end" width={280} shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          fw={400}
          onClick={() => setOpen(!isOpen)}
          aria-haspopup="dialog"
          title={t('Spent by the playground and interns of this session')}
        >
          <Text span inherit visibleFrom="xs">
            {limit === null
              ? t('Session {spent}, no limit', { spent })
              : t('Session {spent} of {limit}', { spent, limit })}
          </Text>
          <Text span inherit hiddenFrom="xs">
            {limit === null ? spent : t('{spent} of {limit}', { spent, limit })}
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Spending of this session')}>
        <SpendingForm session={session} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function SpendingForm({ session, onDone }: { readonly session: Session; readonly onDone: () => void }): ReactNode {
  const workspaces = useWorkspaces();
  const [workspace, setWorkspace] = useState(session.workspace_id);
  const [limit, setLimit] = useState<number | string>(session.limit ?? '');
  const saving = useMutation({ mutationFn: changeSpending, onSuccess: onDone });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (workspace) saving.mutate({ workspace_id: workspace, limit: limit === '' ? null : Number(limit) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{t('Playground and interns spend through a key of this session.')}</Text>
        <Select
          label={t('Workspace')}
          data={(workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={workspace}
          onChange={setWorkspace}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
        />
        <NumberInput
          label={t('Limit of the session, USD')}
          min={0}
          decimalScale={9}
          value={limit}
          onChange={setLimit}
        />
        {saving.error && <FaultAlert error={saving.error} />}
        <Button type="submit" size="xs" loading={saving.isPending}>
          {t('Save')}
        </Button>
      </Stack>
    </form>
  );
}
