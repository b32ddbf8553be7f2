import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { channelsChanged, ofChannel } from '../../api/channels';
import { api } from '../../api/client';
import type { ChannelRecord } from '../../api/records';
import { useMay } from '../../api/session';
import { ConfirmButton } from '../../components/confirm-button';
import { FaultAlert } from '../../components/fault-alert';
import { useKeptFocus } from '../../components/use-kept-focus';
import { EditChannel } from './channel-forms';
import { ChannelModels } from './channel-models';
import { movedDown, movedUp, type PriorityChanges } from './priority-moves';
import type { ChannelTester } from './use-channel-tester';
import { t } from '../../text/translate';

interface ChannelActionsProps {
  readonly channel: ChannelRecord;
  /** The credentials of its provider. */
  readonly all: readonly ChannelRecord[];
  /** For the accessible names. */
  readonly subject: string;
  readonly tester: ChannelTester;
}

async function change(id: string, body: { disabled: boolean } | { priority: number }): Promise<void> {
  await api.PATCH('/api/v1/providers/credentials/{id}', { ...ofChannel(id), body });
}

export function ChannelActions({ channel, all, subject, tester }: ChannelActionsProps): ReactNode {
  const canWrite = useMay('channels.write');
  const { id, disabled, source } = channel;
  const isTesting = tester.isPending && tester.tested?.id === id;
  const testButton = useKeptFocus(isTesting);
  return (
    <Group gap="xs">
      {canWrite && (
        <Button
          ref={testButton}
          size="compact-sm"
          variant="default"
          aria-label={t('Test {subject}', { subject })}
          loading={isTesting}
          disabled={tester.isPending && !isTesting}
          onClick={() => tester.test({ id })}
        >
          {t('Test')}
        </Button>
      )}
      <ChannelModels id={id} subject={subject} />
      {canWrite && source === 'stored' && (
        <>
          <EditChannel channel={channel} subject={subject} onKey={() => tester.test({ id })} />
          <MoveButtons channel={channel} all={all} subject={subject} />
          <ConfirmButton
            label={disabled ? t('Enable') : t('Disable')}
            subject={subject}
            question={disabled ? undefined : t('Calls no longer use it. It can be enabled again.')}
            onConfirm={async () => {
              await change(id, { disabled: !disabled });
              await channelsChanged();
            }}
          />
          <ConfirmButton
            label={t('Delete')}
            isRemoval
            subject={subject}
            question={t('The key is deleted for good. Calls in progress end as they would.')}
            onConfirm={async () => {
              await api.DELETE('/api/v1/providers/credentials/{id}', ofChannel(id));
              await channelsChanged();
            }}
          />
        </>
      )}
    </Group>
  );
}

type MoveButtonsProps = Pick<ChannelActionsProps, 'channel' | 'all' | 'subject'>;

function MoveButtons({ channel: { id }, all, subject }: MoveButtonsProps): ReactNode {
  const moving = useMutation({
    mutationFn: async (changes: PriorityChanges) => {
      for (const { id: moved, priority } of changes) await change(moved, { priority });
    },
    onSettled: channelsChanged,
  });
  const moves = [
    [t('Up'), movedUp(all, id)],
    [t('Down'), movedDown(all, id)],
  ] as const;
  return (
    <>
      {moves.map(([label, changes]) => (
        // Not `disabled`, because a disabled button would lose the focus while a user presses it repeatedly.
        <Button
          key={label}
          size="compact-sm"
          variant="default"
          aria-label={`${label}: ${subject}`}
          aria-disabled={changes.length === 0 || moving.isPending}
          data-disabled={changes.length === 0 || undefined}
          onClick={() => changes.length > 0 && !moving.isPending && moving.mutate(changes)}
        >
          {label}
        </Button>
      ))}
      {moving.error && <FaultAlert error={moving.error} />}
    </>
  );
}
