import { Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { useKeyNames } from '../../api/keys';
import { modelPath } from '../../api/models';
import type { CallDetails } from '../../api/records';
import { Facts, type Fact } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, count, milliseconds } from '../../format/amounts';
import { moment } from '../../format/times';
import { CallCredential } from './call-credential';
import { CallFailure } from './call-failure';
import { CallPrice } from './call-price';
import { StatusBadge } from './calls.page';

/** One call: what it was, its attempts, tokens, price and times. */
export function CallPage(): ReactNode {
  const { id } = useParams({ from: '/calls/$id' });
  const nameOf = useKeyNames();
  const call = useQuery({
    queryKey: QUERY_KEYS.call(id),
    queryFn: async () => (await body(api.GET('/api/v1/generations/{id}', { params: { path: { id } } }))).data,
  });
  return (
    <Loaded query={call}>
      {(data) => (
        <Stack>
          <PageHeader title="Call" about={data.id}>
            <StatusBadge status={data.status} />
          </PageHeader>
          <CallFailure call={data} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Facts title="What" rows={factsOf(data, nameOf)} />
            <CallPrice call={data} />
            <Facts title="Tokens and media" rows={tokensOf(data)} />
            <Facts title="Times" rows={timesOf(data)} />
          </SimpleGrid>
          <Attempts call={data} />
        </Stack>
      )}
    </Loaded>
  );
}

const factsOf = (call: CallDetails, nameOf: (hash: unknown) => string): Fact[] => [
  ['Model', call.model === null ? ABSENT : <ModelLink key="model" id={call.model} />],
  ['Provider', call.provider_name ?? ABSENT],
  ['Kind', call.kind],
  ['Key', call.api_key_hash ? nameOf(call.api_key_hash) : ABSENT],
  ['Time', moment(call.created_at)],
  ['Finish', call.cancelled ? 'cancelled by the caller' : (call.finish_reason ?? ABSENT)],
  ['Request id', call.request_id ?? ABSENT],
  ['Session', call.session_id ?? ABSENT],
  ['Id at the provider', call.upstream_id ?? ABSENT],
  ['End user', call.external_user ?? ABSENT],
  ['Program', call.user_agent ?? ABSENT],
  ['Reused response of', call.response_cache_source_id ?? ABSENT],
];

function ModelLink({ id }: { readonly id: string }): ReactNode {
  return (
    <PageLink to="/models/$author/$slug" params={modelPath(id)}>
      {id}
    </PageLink>
  );
}

const tokensOf = (call: CallDetails): Fact[] => [
  ['Prompt', count(call.tokens_prompt)],
  ['Prompt, read from the cache', count(call.tokens_cached)],
  ['Completion', count(call.tokens_completion)],
  ['Completion, reasoning', count(call.tokens_reasoning)],
  ['Characters', count(call.characters)],
  ['Images', count(call.images)],
];

function timesOf({ latency_parts, tokens_completion, streamed }: CallDetails): Fact[] {
  const { failed_attempts, first_byte, response, total } = latency_parts;
  const speed = response > 0 ? `${((tokens_completion / response) * 1000).toFixed(1)} tokens/s` : ABSENT;
  return [
    ['Failed attempts', milliseconds(failed_attempts)],
    ['To the first byte', milliseconds(first_byte)],
    ['From the first byte to the end', milliseconds(response)],
    ['In all', milliseconds(total)],
    ['Speed after the first byte', tokens_completion > 0 ? speed : ABSENT],
    ['Streamed', streamed ? 'yes' : 'no'],
  ];
}

function Attempts({ call: { attempts, provider_name } }: { readonly call: CallDetails }): ReactNode {
  const hasCredentials = attempts?.some(({ credential }) => credential !== null) ?? false;
  return (
    <Paper withBorder p="sm">
      <Title order={2} mb="xs">
        Attempts
      </Title>
      {attempts === null || attempts.length === 0 ? (
        <Text c="dimmed">One provider was called: {provider_name ?? ABSENT}.</Text>
      ) : (
        <Table
          aria-label="Attempts"
          data={{
            head: ['Provider', 'Status', 'Time', 'Why it failed', ...(hasCredentials ? ['Credential'] : [])],
            body: attempts.map(({ provider_name, status, latency, error, credential }, at) => [
              provider_name,
              <StatusBadge key={at} status={status} />,
              milliseconds(latency),
              error ? `${error.message} (${error.code})` : ABSENT,
              ...(hasCredentials ? [credential ? <CallCredential key={at} credential={credential} /> : ABSENT] : []),
            ]),
          }}
        />
      )}
    </Paper>
  );
}
