import { Paper, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';
import { ABSENT, milliseconds } from '../../format/amounts';
import { CallCredential } from './call-credential';
import { isError, StatusBadge } from './status-badge';
import { t } from '../../text/translate';

type Attempt = NonNullable<CallDetails['attempts']>[number];

/** An attempt with its position within the duration of the call, in milliseconds. */
interface PlacedAttempt extends Attempt {
  readonly start: number;
  /** To the first byte of the response, or to the failure. */
  readonly wait: number;
  /** From the first byte to the end. */
  readonly response: number;
}

/** Attempts run one after another. The time between two of them is not recorded. */
function placed(call: CallDetails): PlacedAttempt[] {
  const { latency_parts: parts, attempts, provider_name: provider, status, error } = call;
  const only = { provider_name: provider ?? ABSENT, status, latency: parts.first_byte, error, credential: null };
  const all: readonly Attempt[] = attempts && attempts.length > 0 ? attempts : provider === null ? [] : [only];
  let start = 0;
  return all.map((attempt, at) => {
    const isLast = at === all.length - 1;
    const isServed = isLast && !isError(attempt.status);
    const row = {
      ...attempt,
      start,
      wait: isServed ? parts.first_byte : attempt.latency,
      response: isServed ? parts.response : 0,
    };
    start += attempt.latency;
    return row;
  });
}

/** When each attempt began, how long it took, and why it failed. */
export function CallAttempts({ call }: { readonly call: CallDetails }): ReactNode {
  const attempts = placed(call);
  if (attempts.length === 0) return null;
  const total = Math.max(
    call.latency_parts.total,
    ...attempts.map(({ start, wait, response }) => start + wait + response),
    1,
  );
  const hasCredentials = attempts.some(({ credential }) => credential !== null);
  // If there is only one attempt, its reason is the reason of the call, which is shown above.
  const hasReasons = attempts.some(({ error }) => error !== null && (attempts.length > 1 || call.error === null));
  return (
    <Paper withBorder p="sm" miw={0}>
      <Title order={2} mb="xs">
        {t('Attempts')}
      </Title>
      <div className="scroll" role="region" aria-label={t('Attempts')} tabIndex={0}>
        <Table aria-label={t('Attempts')} className="waterfall">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('Provider')}</Table.Th>
              <Table.Th scope="col">{t('Status')}</Table.Th>
              <Table.Td aria-hidden className="waterfall-bars" />
              <Table.Th scope="col">{t('Began after')}</Table.Th>
              <Table.Th scope="col">{t('First byte after')}</Table.Th>
              <Table.Th scope="col">{t('Took')}</Table.Th>
              {hasReasons && <Table.Th scope="col">{t('Why it failed')}</Table.Th>}
              {hasCredentials && <Table.Th scope="col">{t('Credential')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map((attempt, at) => (
              <Table.Tr key={at}>
                <Table.Td>{attempt.provider_name}</Table.Td>
                <Table.Td>
                  <StatusBadge status={attempt.status} />
                </Table.Td>
                <Table.Td aria-hidden className="waterfall-bars">
                  <Bar attempt={attempt} total={total} />
                </Table.Td>
                <Table.Td>{milliseconds(attempt.start)}</Table.Td>
                <Table.Td>{isError(attempt.status) ? ABSENT : milliseconds(attempt.start + attempt.wait)}</Table.Td>
                <Table.Td>{milliseconds(attempt.wait + attempt.response)}</Table.Td>
                {hasReasons && <Table.Td className="wrapped">{attempt.error?.message ?? ABSENT}</Table.Td>}
                {hasCredentials && (
                  <Table.Td className="wrapped">
                    {attempt.credential ? <CallCredential credential={attempt.credential} /> : ABSENT}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        {t(
          '{total} in all: a light bar is the wait for the first byte, a full one the response, a ' +
            'red one a failure.',
          { total: milliseconds(call.latency_parts.total) },
        )}
      </Text>
    </Paper>
  );
}

function Bar({ attempt, total }: { readonly attempt: PlacedAttempt; readonly total: number }): ReactNode {
  const share = (ms: number): string => `${(ms / total) * 100}%`;
  return (
    <span className="waterfall-bar">
      <span style={{ width: share(attempt.start) }} />
      <span data-part={isError(attempt.status) ? 'failed' : 'wait'} style={{ width: share(attempt.wait) }} />
      {attempt.response > 0 && <span data-part="response" style={{ width: share(attempt.response) }} />}
    </span>
  );
}
