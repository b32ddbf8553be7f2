import { NumberInput, Switch, TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { useKeySettings } from '../../api/keys';
import { queries } from '../../api/queries';
import type { KeySettings } from '../../api/records';
import { CallLimitFields, LimitNumber } from '../../components/call-limit-fields';
import { Loaded } from '../../components/loaded';
import { SavedForm } from '../../components/saved-form';

/** What a key may call, how often, and what is kept of it. */
export function KeySettingsForm({ hash }: { readonly hash: string }): ReactNode {
  const path = { params: { path: { hash } } };
  const settings = useKeySettings(hash);
  const save = async (_values: KeySettings, changes: Partial<KeySettings>): Promise<void> => {
    const { data } = await body(api.PUT('/api/v1/keys/{hash}/settings', { ...path, body: changes }));
    queries.setQueryData(QUERY_KEYS.keySettings(hash), data);
  };
  return (
    <Loaded query={settings}>
      {(initial) => (
        <SavedForm title="Settings" initial={initial} onSave={save}>
          {(values, change) => (
            <>
              <TagsInput
                label="Allowed models"
                description="Ids such as openai/gpt-5 and builtin/*. Empty: every model"
                value={values.allowed_models ?? []}
                onChange={(models) => change({ allowed_models: models.length > 0 ? models : null })}
              />
              <LimitNumber
                label="Requests a minute"
                description="Empty: the limits of the service"
                value={values.requests_per_minute}
                onChange={(requests) => change({ requests_per_minute: requests })}
              />
              <CallLimitFields values={values} onChange={change} />
              <LimitNumber
                label="Calls of one session"
                description="Empty: any number"
                value={values.session_max_calls}
                onChange={(calls) => change({ session_max_calls: calls })}
              />
              <NumberInput
                label="Spend of one session, USD"
                description="Empty: any amount"
                min={0}
                decimalScale={9}
                value={values.session_limit_usd ?? ''}
                onChange={(limit) => change({ session_limit_usd: limit === '' ? null : Number(limit) })}
              />
              <Switch
                label="Trust the headers that name the end user (END_USER_HEADERS)"
                checked={values.trust_end_user_headers}
                onChange={({ currentTarget: { checked } }) => change({ trust_end_user_headers: checked })}
              />
              <Switch
                label="Reuse responses of equal requests (cache)"
                checked={values.cache.enabled}
                onChange={({ currentTarget: { checked } }) =>
                  change({ cache: { enabled: checked, ttl_seconds: checked ? values.cache.ttl_seconds : null } })
                }
              />
              <Switch
                label="Export the texts of its calls with events"
                checked={values.export_content}
                onChange={({ currentTarget: { checked } }) => change({ export_content: checked })}
              />
            </>
          )}
        </SavedForm>
      )}
    </Loaded>
  );
}
