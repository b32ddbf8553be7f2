import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { api, body } from '../../api/client';
import { QUERY_KEYS } from '../../api/query-keys';
import type { ListedCall } from '../../api/records';
import { FaultAlert } from '../../components/fault-alert';
import { PageLink } from '../../components/page-link';
import { exactUsd, milliseconds } from '../../format/amounts';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';

const POLL_MS = 2_000;
/** After this time the page shows what to check. */
const LONG_MS = 30_000;
/** After this time the page stops waiting. */
const MAX_WAIT_MS = 600_000;

/** The first call of a key after the time `since`; null until there is one. */
function useFirstCall(hash: string, since: number | null) {
  return useQuery({
    queryKey: QUERY_KEYS.firstCall(hash, since),
    queryFn: async (): Promise<ListedCall | null> => {
      const query = { api_key_hash: hash, start: new Date(since!).toISOString(), limit: 1 };
      return (await body(api.GET('/api/v1/generations', { params: { query } }))).data[0] ?? null;
    },
    enabled: since !== null,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data || Date.now() - (since ?? 0) > MAX_WAIT_MS ? false : POLL_MS),
  });
}

interface FirstCallProps {
  /** The hash of the key. */
  readonly hash: string;
  readonly origin: string;
}

/** A button that waits for the next call of a key, and shows it. */
export function FirstCall({ hash, origin }: FirstCallProps): ReactNode {
  const [since, setSince] = useState<number | null>(null);
  const [isLong, setLong] = useState(false);
  const found = useFirstCall(hash, since);
  useEffect(() => {
    setLong(false);
    if (since === null) return undefined;
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, [since]);
  const isWaiting = since !== null && !found.data;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button onClick={() => setSince(Date.now())} disabled={isWaiting}>
          {found.data ? t('Wait for another call') : t('Wait for the first call')}
        </Button>
        {isWaiting && (
          <>
            <Button variant="default" onClick={() => setSince(null)}>
              {t('Stop')}
            </Button>
            <Loader size="xs" aria-hidden />
          </>
        )}
        <Text role="status" size="sm">
          {isWaiting && t('Waiting for a call of this key. Send one from your client now.')}
        </Text>
      </Group>
      {found.error && isWaiting && <FaultAlert error={found.error} />}
      {found.data && <CallArrived call={found.data} />}
      {isWaiting && isLong && <WhatToCheck origin={origin} />}
    </Stack>
  );
}

function CallArrived({ call }: { readonly call: ListedCall }): ReactNode {
  const hasFailed = call.status >= 400;
  return (
    <Alert
      role="status"
      variant="outline"
      color={hasFailed ? 'orange' : 'green'}
      title={
        hasFailed ? t('The call arrived, and failed with {status}', { status: call.status }) : t('The call arrived')
      }
    >
      <Stack gap={4}>
        <Text size="sm">
          {`${call.model ?? t('No model')} · ${exactUsd(call.total_cost)} · ${milliseconds(call.generation_time)}`}
        </Text>
        <PageLink to="/calls/$id" params={{ id: call.id }} size="sm" underline="always">
          {hasFailed ? t('Why it failed') : t('Open the call')}
        </PageLink>
      </Stack>
    </Alert>
  );
}

function WhatToCheck({ origin }: { readonly origin: string }): ReactNode {
  return (
    <Alert variant="outline" color="orange" title={t('No call yet. What to check')}>
      <ul className="plain-list">
        <li>
          {rich('The machine of the client reaches this address: {code} prints a list.', {
            code: <code>{`curl ${origin}/api/v1/models`}</code>,
          })}
        </li>
        <li>{t('The whole key was copied. A wrong key is refused with 401, and such calls are not recorded.')}</li>
        <li>
          {t(
            'The variables were exported in the shell in which the client was started, or its file of ' +
              'settings was saved.',
          )}
        </li>
        <li>{t('No other variable wins, such as OPENAI_BASE_URL or a key of the vendor.')}</li>
        <li>{t('The client was started again after the change.')}</li>
      </ul>
    </Alert>
  );
}
