import { NumberInput, Switch, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { queries } from '../../api/queries';
import type { KeySettings } from '../../api/records';
import { Loaded } from '../../components/loaded';
import { SavedForm } from '../../components/saved-form';

/** What a key may call, how often, and what is kept of it. */
export function KeySettingsForm({ hash }: { readonly hash: string }): ReactNode {
  const path = { params: { path: { hash } } };
  const queryKey = QUERY_KEYS.keySettings(hash);
  const settings = useQuery({
    queryKey,
    queryFn: async () => (await body(api.GET('/api/v1/keys/{hash}/settings', path))).data,
  });
  const save = async ({ class: _class, role: _role, ...changed }: KeySettings): Promise<void> => {
    const { data } = await body(api.PUT('/api/v1/keys/{hash}/settings', { ...path, body: changed }));
    queries.setQueryData(queryKey, data);
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
              <NumberInput
                label="Requests a minute"
                description="Empty: the limits of the service"
                min={1}
                allowDecimal={false}
                value={values.requests_per_minute ?? ''}
                onChange={(value) => change({ requests_per_minute: value === '' ? null : Number(value) })}
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
