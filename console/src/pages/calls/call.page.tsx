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
import { count, milliseconds } from '../../format/amounts';
import { moment } from '../../format/times';
import { KeyLink, PersonLink, WorkspaceLink } from '../../names/name-links';
import { nameOf } from '../../names/name-store';
import { useNames } from '../../names/use-names';
import { CallAttempts } from './call-attempts';
import { CallFailure } from './call-failure';
import type { CallFilters } from './call-filters';
import { CallPrice } from './call-price';
import { StatusBadge } from './status-badge';

/** One call: what it was, its attempts, tokens, price and times. */
export function CallPage(): ReactNode {
  const { id } = useParams({ from: '/calls/$id' });
  const call = useQuery({
    queryKey: QUERY_KEYS.call(id),
    queryFn: async () => (await body(api.GET('/api/v1/generations/{id}', { params: { path: { id } } }))).data,
  });
  // The person is known with the name of the key.
  useNames();
  return (
    <Loaded query={call}>
      {(data) => (
        <Stack>
          <PageHeader title="Call" about={data.id}>
            <StatusBadge status={data.status} />
          </PageHeader>
          <CallFailure call={data} />
          <CallAttempts call={data} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Facts title="What" rows={known(factsOf(data))} />
            <Stack miw={0}>
              <CallPrice call={data} />
              <FactsIfAny title="Tokens and media" rows={known(tokensOf(data))} />
              <Facts title="Times" rows={known(timesOf(data))} />
            </Stack>
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  );
}

/** What is not known, and what is zero, is left out. */
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
    ['Model', call.model && <ModelLink key="model" id={call.model} />],
    ['Provider', call.provider_name],
    ['Kind', call.kind],
    ['Key', hash && <KeyLink key="key" hash={hash} />],
    ['Person', personId && <PersonLink key="person" id={personId} />],
    ['Workspace', workspace && <WorkspaceLink key="workspace" id={workspace} />],
    ['Time', moment(call.created_at)],
    ['Finish', call.cancelled ? 'cancelled by the caller' : call.finish_reason],
    ['Session', session && <CallsLink key="session" call={call} filters={{ session }} text={session} />],
    ['End user', user && <CallsLink key="user" call={call} filters={{ user }} text={user} />],
    ['Program', call.user_agent],
    ['Request id', call.request_id],
    ['Id at the provider', call.upstream_id],
    [
      'Reused response of',
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

/** The calls around this one that have something in common with it. */
function CallsLink({ call, filters, text }: CallsLinkProps): ReactNode {
  const dayAt = (distance: number): string =>
    new Date(Date.parse(call.created_at) + distance * DAY_MS).toISOString().slice(0, 10);
  return (
    <PageLink to="/calls" search={{ ...filters, from: dayAt(-1), to: dayAt(1) }} title="Its calls">
      {text}
    </PageLink>
  );
}

const positive = (value: number, text: (value: number) => string = count): string => (value > 0 ? text(value) : '');

const tokensOf = (call: CallDetails): PossibleFact[] => [
  ['Prompt', positive(call.tokens_prompt)],
  ['Prompt, read from the cache', positive(call.tokens_cached)],
  ['Completion', positive(call.tokens_completion)],
  ['Completion, reasoning', positive(call.tokens_reasoning)],
  ['Characters', positive(call.characters)],
  ['Images', positive(call.images)],
];

function timesOf({ latency_parts, tokens_completion, streamed }: CallDetails): PossibleFact[] {
  const { failed_attempts, first_byte, response, total } = latency_parts;
  const hasSpeed = tokens_completion > 0 && response > 0;
  return [
    ['Failed attempts', positive(failed_attempts, milliseconds)],
    ['To the first byte', positive(first_byte, milliseconds)],
    ['From the first byte to the end', positive(response, milliseconds)],
    ['In all', milliseconds(total)],
    ['Speed after the first byte', hasSpeed && `${((tokens_completion / response) * 1000).toFixed(1)} tokens/s`],
    ['Streamed', streamed ? 'yes' : 'no'],
  ].map(([label, value]) => [String(label), value || null] as const);
}
