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
import { t } from '../../text/translate';

/** Undefined if the address is invalid. */
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

/**
 * Asks whether an application may get a key. After approval, the application gets a code, which it exchanges for the
 * key.
 */
export function AuthorizePage(): ReactNode {
  const search = useSearch({ from: '/authorize' });
  const canWrite = useMay('keys.write');
  const host = hostOf(search.callback_url);
  const isUsable = host !== undefined || search.callback_url === undefined;
  return (
    <Stack maw={640}>
      <PageHeader
        title={t('Authorize an application')}
        about={t(
          'The application gets an API key of yours. You can disable or delete it on the page Keys at any time.',
        )}
      />
      {!canWrite && <Alert variant="outline">{t('Your role creates no keys, so that you cannot approve this.')}</Alert>}
      {!isUsable && (
        <Alert variant="outline" title={t('The address is not complete')}>
          {t('callback_url is no address. Go back to the application and start again.')}
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
        <Text>{t('Give this code to the application. It works once, for ten minutes.')}</Text>
        <CodeBlock label={t('Code')} code={approving.data} />
      </>
    );
  return (
    <>
      <Facts
        title={t('It asks for')}
        rows={[
          [t('Application'), host ?? t('one that you copy the code to')],
          [t('Key'), search.key_label ?? t('without a name')],
          [t('Limit resets'), search.usage_limit_type ?? t('never')],
          [t('Expires'), search.expires_at ?? t('never')],
        ]}
      />
      <NumberInput
        label={t('Limit, USD')}
        description={t("Empty: no limit of the key's own")}
        min={0}
        decimalScale={9}
        value={grant.limit}
        onChange={(limit) => setGrant({ ...grant, limit })}
      />
      <WorkspaceField value={grant.workspace} onChange={(workspace) => setGrant({ ...grant, workspace })} />
      {approving.error && <FaultAlert error={approving.error} />}
      <Group>
        <Button loading={approving.isPending || approving.isSuccess} onClick={() => approving.mutate()}>
          {t('Approve')}
        </Button>
        <Button variant="default" onClick={() => window.history.back()}>
          {t('Refuse')}
        </Button>
      </Group>
    </>
  );
}
