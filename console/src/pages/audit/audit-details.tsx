import { Modal, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/records';
import { Facts, type Fact } from '../../components/facts';
import { moment } from '../../format/times';
import type { Names } from '../../names/use-names';
import { AuditSubject } from './audit-subject';
import { actionText, actorText, keyText, kindText, settingText, valueText } from './audit-words';

interface AuditDetailsProps {
  readonly entry: AuditEntry | undefined;
  readonly names: Names;
  readonly onClose: () => void;
}

/** All of an entry, with the settings before and after. */
export function AuditDetails({ entry, names, onClose }: AuditDetailsProps): ReactNode {
  return (
    <Modal
      opened={entry !== undefined}
      onClose={onClose}
      size="lg"
      title={entry && `${actorText(entry, names)} ${actionText(entry.action)} a ${kindText(entry.kind)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {entry && (
        <Stack>
          <Changes entry={entry} />
          <Facts title="Entry" rows={factsOf(entry, names)} />
        </Stack>
      )}
    </Modal>
  );
}

function Changes({ entry: { changes, action } }: { readonly entry: AuditEntry }): ReactNode {
  if (changes == null)
    return action === 'update' ? (
      <Text c="dimmed" size="sm">
        What changed was not recorded.
      </Text>
    ) : null;
  if (changes.length === 0)
    return (
      <Text c="dimmed" size="sm">
        No setting changed.
      </Text>
    );
  return (
    <div>
      <Title order={2} mb="xs">
        Settings
      </Title>
      <Table
        aria-label="Settings"
        style={{ overflowWrap: 'anywhere' }}
        data={{
          head: ['Setting', 'Before', 'After'],
          body: changes.map((change) => [
            settingText(change),
            change.secret ? 'a secret' : valueText(change, change.from),
            change.secret ? 'another secret' : valueText(change, change.to),
          ]),
        }}
      />
    </div>
  );
}

function factsOf(entry: AuditEntry, names: Names): Fact[] {
  const key = keyText(entry, names);
  const facts: (Fact | null)[] = [
    ['Time', moment(entry.at)],
    ['By', actorText(entry, names)],
    key ? ['With the key', key] : null,
    ['Subject', <AuditSubject key="subject" entry={entry} names={names} />],
    ['Id of the subject', entry.id],
    entry.role ? ['Role', entry.role] : null,
    entry.address ? ['From the address', entry.address] : null,
    entry.request_id ? ['Request id', entry.request_id] : null,
  ];
  return facts.filter((fact) => fact !== null);
}
