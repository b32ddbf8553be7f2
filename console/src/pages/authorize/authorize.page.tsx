import { Alert, Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, body } from '../../api/client';
import { useMay } from '../../api/session';
import { CodeBlock } from '../../components/code-block';
import { Facts } from '../../components/facts';
import { FaultAlert } from '../../components/fault-alert';
import { PageHeader } from '../../components/page-header';
import { WorkspaceField } from '../../components/workspace-field';
import type { AuthorizeSearch } from './authorize-search';

/** Undefined for an address that is none. */
function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

interface Grant {
  readonly limit: number | string;
  readonly workspace: string | null;
}

async function approve(search: AuthorizeSearch, { limit, workspace }: Grant): Promise<string> {
  const request = {
    ...search,
    limit: limit === '' ? undefined : Number(limit),
    workspace_id: workspace ?? undefined,
  };
  return (await body(api.POST('/api/v1/auth/keys/code', { body: request }))).data.id;
}

/** Asks whether an application may have a key. It gets a code, which it exchanges for the key. */
export function AuthorizePage(): ReactNode {
  const search = useSearch({ from: '/authorize' });
  const canWrite = useMay('keys.write');
  const host = hostOf(search.callback_url);
  const isUsable = host !== undefined || search.callback_url === undefined;
  return (
    <Stack maw={640}>
      <PageHeader
        title="Authorize an application"
        about="The application gets an API key of yours. You can disable or delete it on the page Keys at any time."
      />
      {!canWrite && <Alert variant="outline">Your role creates no keys, so that you cannot approve this.</Alert>}
      {!isUsable && (
        <Alert variant="outline" title="The address is not complete">
          callback_url is no address. Go back to the application and start again.
        </Alert>
      )}
      {canWrite && isUsable && <Consent search={search} host={host} />}
    </Stack>
  );
}

function Consent({ search, host }: { readonly search: AuthorizeSearch; readonly host: string | undefined }): ReactNode {
  const [grant, setGrant] = useState<Grant>({ limit: search.limit ?? '', workspace: search.workspace_id ?? null });
  const approving = useMutation({
    mutationFn: () => approve(search, grant),
    onSuccess: (code) => {
      if (search.callback_url === undefined) return;
      const target = new URL(search.callback_url);
      target.searchParams.set('code', code);
      window.location.assign(target.href);
    },
  });
  if (approving.data !== undefined && search.callback_url === undefined)
    return (
      <>
        <Text>Give this code to the application. It works once, for ten minutes.</Text>
        <CodeBlock label="Code" code={approving.data} />
      </>
    );
  return (
    <>
      <Facts
        title="It asks for"
        rows={[
          ['Application', host ?? 'one that you copy the code to'],
          ['Key', search.key_label ?? 'without a name'],
          ['Limit resets', search.usage_limit_type ?? 'never'],
          ['Expires', search.expires_at ?? 'never'],
        ]}
      />
      <NumberInput
        label="Limit, USD"
        description="Empty: no limit of the key's own"
        min={0}
        decimalScale={9}
        value={grant.limit}
        onChange={(limit) => setGrant({ ...grant, limit })}
      />
      <WorkspaceField value={grant.workspace} onChange={(workspace) => setGrant({ ...grant, workspace })} />
      {approving.error && <FaultAlert error={approving.error} />}
      <Group>
        <Button loading={approving.isPending || approving.isSuccess} onClick={() => approving.mutate()}>
          Approve
        </Button>
        <Button variant="default" onClick={() => window.history.back()}>
          Refuse
        </Button>
      </Group>
    </>
  );
}
