import { Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/records';
import { Dialog } from '../../components/dialog';
import { Facts, type Fact } from '../../components/facts';
import { moment } from '../../format/times';
import type { Names } from '../../names/use-names';
import { AuditSubject } from './audit-subject';
import { actionText, actorText, keyText, kindText, settingText, valueText } from './audit-words';
import { t } from '../../text/translate';

interface AuditDetailsProps {
  readonly entry: AuditEntry | undefined;
  readonly names: Names;
  readonly onClose: () => void;
}

/** All details of an entry, including the settings before and after. */
export function AuditDetails({ entry, names, onClose }: AuditDetailsProps): ReactNode {
  return (
    <Dialog
      opened={entry !== undefined}
      onClose={onClose}
      size="lg"
      title={
        entry &&
        t('{actor} {action} a {kind}', {
          actor: actorText(entry, names),
          action: actionText(entry.action),
          kind: kindText(entry.kind),
        })
      }
    >
      {entry && (
        <Stack>
          <Changes entry={entry} />
          <Facts title={t('Entry')} rows={factsOf(entry, names)} />
        </Stack>
      )}
    </Dialog>
  );
}

function Changes({ entry: { changes, action } }: { readonly entry: AuditEntry }): ReactNode {
  if (changes == null)
    return action === 'update' ? (
      <Text c="dimmed" size="sm">
        {t('What changed was not recorded.')}
      </Text>
    ) : null;
  if (changes.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t('No setting changed.')}
      </Text>
    );
  return (
    <div>
      <Title order={2} mb="xs">
        {t('Settings')}
      </Title>
      <Table
        aria-label={t('Settings')}
        style={{ overflowWrap: 'anywhere' }}
        data={{
          head: [t('Setting'), t('Before'), t('After')],
          body: changes.map((change) => [
            settingText(change),
            change.secret ? t('a secret') : valueText(change, change.from),
            change.secret ? t('another secret') : valueText(change, change.to),
          ]),
        }}
      />
    </div>
  );
}

function factsOf(entry: AuditEntry, names: Names): Fact[] {
  const key = keyText(entry, names);
  const facts: (Fact | null)[] = [
    [t('Time'), moment(entry.at)],
    [t('By'), actorText(entry, names)],
    key ? [t('With the key'), key] : null,
    [t('Subject'), <AuditSubject key="subject" entry={entry} names={names} />],
    [t('Id of the subject'), entry.id],
    entry.role ? [t('Role'), entry.role] : null,
    entry.address ? [t('From the address'), entry.address] : null,
    entry.request_id ? [t('Request id'), entry.request_id] : null,
  ];
  return facts.filter((fact) => fact !== null);
}
