import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import type { ChannelRecord, ChannelTest } from '../../api/records';
import { FaultAlert } from '../../components/fault-alert';
import { milliseconds } from '../../format/amounts';
import type { ChannelTester } from './use-channel-tester';
import { t } from '../../text/translate';

interface ChannelTestResultProps {
  readonly channel: ChannelRecord;
  readonly tester: ChannelTester;
}

/** The vendor's response to the last test of a credential, and a button to test it by calling a model. */
export function ChannelTestResult({ channel: { id }, tester }: ChannelTestResultProps): ReactNode {
  const { tested, result, error, isPending, test } = tester;
  if (tested?.id !== id) return null;
  return (
    <Stack gap="xs" role="status" aria-label={t('Test')}>
      {isPending && <Text size="sm">{t('The vendor is asked …')}</Text>}
      {!isPending && error && <FaultAlert error={error} />}
      {!isPending && result && <Outcome result={result} />}
      {!isPending && <CallForm onCall={(model) => test({ id, model })} />}
    </Stack>
  );
}

/** What the operator can do about a status of the vendor. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: t('The vendor refuses the key. Check that it was copied whole, and that it was not revoked.'),
  402: t('The vendor says that its account has no credit left. Add credit there.'),
  403: t('The vendor forbids this to the key. Check its rights, its project and its region.'),
  404: t('The vendor does not have what was asked for. Check the address and the name of the model there.'),
  429: t('The vendor limits requests of this account, or its credit is spent. Try again later.'),
};

function sentenceOf({ ok, status, message, latency_ms: latency }: ChannelTest): string {
  const time = milliseconds(latency);
  if (ok) return t('{message} It took {time}.', { message, time });
  const result = t('Message: “{message}” Status {status} after {time}.', { message, status, time });
  return [REFUSALS[status], result].filter(Boolean).join(' ');
}

function Outcome({ result }: { readonly result: ChannelTest }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Alert
      ref={box}
      variant="outline"
      color={result.ok ? 'green' : 'red'}
      title={result.ok ? t('The vendor accepts it') : t('The test failed')}
    >
      <Text size="sm" className="wrap">
        {sentenceOf(result)}
      </Text>
    </Alert>
  );
}

function CallForm({ onCall }: { readonly onCall: (model: string) => void }): ReactNode {
  const [model, setModel] = useState('');
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onCall(model.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          required
          label={t('Test by a call of a model')}
          description={t('An id such as openai/gpt-5. The vendor bills a few tokens.')}
          value={model}
          onChange={(event) => setModel(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default">
          {t('Call')}
        </Button>
      </Group>
    </form>
  );
}
