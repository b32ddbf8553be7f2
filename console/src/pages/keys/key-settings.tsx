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
import { t } from '../../text/translate';

/** The settings of a key: its models, limits, response cache, and the export of texts. */
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
        <SavedForm title={t('Settings')} initial={initial} onSave={save}>
          {(values, change) => (
            <>
              <TagsInput
                label={t('Allowed models')}
                description={t('Ids such as openai/gpt-5 and builtin/*. Empty: every model')}
                value={values.allowed_models ?? []}
                onChange={(models) => change({ allowed_models: models.length > 0 ? models : null })}
              />
              <LimitNumber
                label={t('Requests a minute')}
                description={t('Empty: the limits of the service')}
                value={values.requests_per_minute}
                onChange={(requests) => change({ requests_per_minute: requests })}
              />
              <CallLimitFields values={values} onChange={change} />
              <LimitNumber
                label={t('Calls of one session')}
                description={t('Empty: any number')}
                value={values.session_max_calls}
                onChange={(calls) => change({ session_max_calls: calls })}
              />
              <NumberInput
                label={t('Spend of one session, USD')}
                description={t('Empty: any amount')}
                min={0}
                decimalScale={9}
                value={values.session_limit_usd ?? ''}
                onChange={(limit) => change({ session_limit_usd: limit === '' ? null : Number(limit) })}
              />
              <Switch
                label={t('Trust the headers that name the end user (END_USER_HEADERS)')}
                checked={values.trust_end_user_headers}
                onChange={({ currentTarget: { checked } }) => change({ trust_end_user_headers: checked })}
              />
              <Switch
                label={t('Reuse responses of equal requests (cache)')}
                checked={values.cache.enabled}
                onChange={({ currentTarget: { checked } }) =>
                  change({ cache: { enabled: checked, ttl_seconds: checked ? values.cache.ttl_seconds : null } })
                }
              />
              <Switch
                label={t('Export the texts of its calls with events')}
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
