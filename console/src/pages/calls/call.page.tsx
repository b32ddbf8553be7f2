import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { modelPath } from '../../api/models';
import type { CallDetails } from '../../api/records';
import { Facts, type Fact } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { count, milliseconds, speed } from '../../format/amounts';
import { moment } from '../../format/times';
import { KeyLink, PersonLink, WorkspaceLink } from '../../names/name-links';
import { nameOf } from '../../names/name-store';
import { useNames } from '../../names/use-names';
import { CallAttempts } from './call-attempts';
import { CallFailure } from './call-failure';
import type { CallFilters } from './call-filters';
import { CallPrice } from './call-price';
import { isError, StatusBadge } from './status-badge';
import { t } from '../../text/translate';

/** One call: its request, attempts, tokens, price and times. */
export function CallPage(): ReactNode {
  const { id } = useParams({ from: '/calls/$id' });
  const call = useQuery({
    queryKey: QUERY_KEYS.call(id),
    queryFn: async () => (await body(api.GET('/api/v1/generations/{id}', { params: { path: { id } } }))).data,
  });
  // Renders again when the name of the key is loaded, because the loaded name includes the id of the person.
  useNames();
  return (
    <Loaded query={call}>
      {(data) => (
        <Stack>
          <PageHeader title={t('Call')} about={data.id} parent={<PageLink to="/calls">{t('Calls')}</PageLink>}>
            <StatusBadge status={data.status} />
          </PageHeader>
          <CallFailure call={data} />
          <CallAttempts call={data} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Facts title={t('What')} rows={known(factsOf(data))} />
            <Stack miw={0}>
              <CallPrice call={data} />
              <FactsIfAny title={t('Tokens and media')} rows={known(tokensOf(data))} />
              <Facts title={t('Times')} rows={known(timesOf(data))} />
            </Stack>
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  );
}

/** A fact that `known` omits if its value is absent or empty. */
type PossibleFact = readonly [label: string, value: ReactNode];

const known = (facts: readonly PossibleFact[]): Fact[] =>
  facts.filter(([, value]) => value !== null && value !== undefined && value !== '');

function FactsIfAny(props: { readonly title: string; readonly rows: readonly Fact[] }): ReactNode {
  return props.rows.length === 0 ? null : <Facts {...props} />;
}

function factsOf(call: CallDetails): PossibleFact[] {
  const { api_key_hash: hash, workspace_id: workspace, session_id: session, external_user: user } = call;
  const personId = hash && nameOf('api_keys', hash)?.creator_user_id;
  return [
    [t('Model'), call.model && <ModelLink key="model" id={call.model} />],
    [t('Provider'), call.provider_name],
    [t('Kind'), call.kind],
    [t('Key'), hash && <KeyLink key="key" hash={hash} />],
    [t('Person'), personId && <PersonLink key="person" id={personId} />],
    [t('Workspace'), workspace && <WorkspaceLink key="workspace" id={workspace} />],
    [t('Time'), moment(call.created_at)],
    [t('Finish'), call.cancelled ? t('cancelled by the caller') : call.finish_reason],
    [t('Session'), session && <CallsLink key="session" call={call} filters={{ session }} text={session} />],
    [t('End user'), user && <CallsLink key="user" call={call} filters={{ user }} text={user} />],
    [t('Program'), call.user_agent],
    [t('Request id'), call.request_id],
    [t('Id at the provider'), call.upstream_id],
    [
      t('Reused response of'),
      call.response_cache_source_id && (
        <PageLink key="source" to="/calls/$id" params={{ id: call.response_cache_source_id }}>
          {call.response_cache_source_id}
        </PageLink>
      ),
    ],
  ];
}

function ModelLink({ id }: { readonly id: string }): ReactNode {
  return (
    <PageLink to="/models/$author/$slug" params={modelPath(id)}>
      {id}
    </PageLink>
  );
}

const DAY_MS = 86_400_000;

interface CallsLinkProps {
  readonly call: CallDetails;
  readonly filters: CallFilters;
  readonly text: string;
}

/** A link to calls around this time that share a property with this one. */
function CallsLink({ call, filters, text }: CallsLinkProps): ReactNode {
  const dayAt = (distance: number): string =>
    new Date(Date.parse(call.created_at) + distance * DAY_MS).toISOString().slice(0, 10);
  return (
    <PageLink to="/calls" search={{ ...filters, from: dayAt(-1), to: dayAt(1) }} title={t('Its calls')}>
      {text}
    </PageLink>
  );
}

const positive = (value: number, text: (value: number) => string = count): string => (value > 0 ? text(value) : '');

const tokensOf = (call: CallDetails): PossibleFact[] => [
  [t('Prompt'), positive(call.tokens_prompt)],
  [t('Prompt, read from the cache'), positive(call.tokens_cached)],
  [t('Completion'), positive(call.tokens_completion)],
  [t('Completion, reasoning'), positive(call.tokens_reasoning)],
  [t('Characters'), positive(call.characters)],
  [t('Images'), positive(call.images)],
];

function timesOf({ latency_parts, tokens_completion, streamed, status }: CallDetails): PossibleFact[] {
  const { failed_attempts, first_byte, response, total } = latency_parts;
  // If a call failed before its first byte, `first_byte` is the time until the failure.
  const hasBytes = !isError(status) || response > 0;
  const hasSpeed = tokens_completion > 0 && response > 0;
  return [
    [t('Failed attempts'), positive(failed_attempts, milliseconds)],
    [t('To the first byte'), hasBytes && positive(first_byte, milliseconds)],
    [t('From the first byte to the end'), positive(response, milliseconds)],
    [t('In all'), milliseconds(total)],
    [t('Speed after the first byte'), hasSpeed && speed((tokens_completion / response) * 1000)],
    [t('Streamed'), streamed ? t('yes') : t('no')],
  ].map(([label, value]) => [String(label), value || null] as const);
}
