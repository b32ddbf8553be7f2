import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSyncExternalStore, type ReactNode } from 'react';
import { Dialog } from '../../components/dialog';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { PageLink } from '../../components/page-link';
import { talkChanges, type Kept } from '../../talks/kept-store';
import { DataTable, type Column } from '../../table/data-table';
import { forgetChats, keptChats, type KeptChat } from './kept-chats';
import { t } from '../../text/translate';

const MAX_TITLE_CHARACTERS = 60;

/** The first prompt of the conversation. */
function titleOf({ lanes }: KeptChat): string {
  const first = lanes[0]?.exchanges[0];
  const text = first?.prompt || first?.attachments[0]?.name || t('Without a prompt');
  return text.length > MAX_TITLE_CHARACTERS ? `${text.slice(0, MAX_TITLE_CHARACTERS)}…` : text;
}

interface ChatListProps {
  /** The id of the conversation that the page shows. */
  readonly current: string | undefined;
  /** Called when that conversation was deleted. */
  readonly onForget: () => void;
}

/** A dialog with the conversations that this browser stores. */
export function ChatList({ current, onForget }: ChatListProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  useSyncExternalStore(talkChanges.subscribe, talkChanges.snapshot);
  const chats = isOpen ? keptChats() : [];
  const forget = (ids: readonly string[]): Promise<void> => {
    forgetChats(ids);
    if (current !== undefined && ids.includes(current)) onForget();
    return Promise.resolve();
  };
  const columns: readonly Column<Kept<KeptChat>>[] = [
    {
      header: t('Conversation'),
      cell: (chat) => (
        <PageLink to="/playground" search={{ models: chat.models, talk: chat.id }} onClick={close}>
          {titleOf(chat)}
        </PageLink>
      ),
    },
    { header: t('Models'), cell: ({ models }) => models.join(', ') },
    { header: t('Last change'), cell: ({ keptAt }) => <Ago iso={new Date(keptAt).toISOString()} /> },
    {
      header: t('Actions'),
      cell: (chat) => (
        <ConfirmButton label={t('Delete')} isRemoval subject={titleOf(chat)} onConfirm={() => forget([chat.id])} />
      ),
    },
  ];
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('History')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t('Conversations of this browser')} size="xl">
        <Stack>
          <Text size="sm" c="dimmed">
            {t('They are kept in this browser only, the newest 50, until you sign out. Large files are left out.')}
          </Text>
          <DataTable
            label={t('Conversations')}
            columns={columns}
            rows={chats}
            rowKey={({ id }) => id}
            empty={t('No conversations yet: a conversation is listed here once its first prompt was sent.')}
          />
          {chats.length > 0 && (
            <Group justify="flex-end">
              <ConfirmButton
                label={t('Delete all')}
                subject={t('conversations')}
                question={t('All conversations of this browser are deleted for good.')}
                onConfirm={() => forget(chats.map(({ id }) => id))}
              />
            </Group>
          )}
        </Stack>
      </Dialog>
    </>
  );
}
