import { NumberInput, Select, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { queries } from '../../api/queries';
import type { InternSettings } from '../../api/records';
import { Loaded } from '../../components/loaded';
import { SavedForm } from '../../components/saved-form';
import { NO_RESET, RESET_CHOICES, resetOf } from '../../format/resets';
import { t } from '../../text/translate';

/** The approval modes, for this form and for the conversation. */
export const MODES = [
  { value: 'self-drive', label: t('Act without asking') },
  { value: 'manual', label: t('Ask before each effect') },
] as const;

/** The budget of an intern and the hosts that it may reach. */
export function InternSettingsForm({ id }: { readonly id: string }): ReactNode {
  const path = { params: { path: { id } } };
  const queryKey = QUERY_KEYS.internSettings(id);
  const settings = useQuery({
    queryKey,
    queryFn: async () => (await body(api.GET('/api/v1/interns/{id}/settings', path))).data,
  });
  // PUT replaces all settings. The unchanged settings are read again first, because other users may have changed them.
  const save = async (_values: InternSettings, changes: Partial<InternSettings>): Promise<void> => {
    const { data: present } = await body(api.GET('/api/v1/interns/{id}/settings', path));
    const { data } = await body(
      api.PUT('/api/v1/interns/{id}/settings', { ...path, body: { ...present, ...changes } }),
    );
    queries.setQueryData(queryKey, data);
  };
  return (
    <Loaded query={settings}>
      {(initial) => (
        <SavedForm title={t('Budget and hosts')} initial={initial} onSave={save}>
          {(values, change) => (
            <>
              <NumberInput
                label={t('Budget, USD')}
                description={t('Empty: the limits of the key that made it')}
                min={0}
                decimalScale={9}
                value={values.limit ?? ''}
                onChange={(limit) => change({ limit: limit === '' ? null : Number(limit) })}
              />
              <Select
                label={t('Budget resets')}
                data={RESET_CHOICES}
                value={values.limit_reset ?? NO_RESET}
                onChange={(choice) => change({ limit_reset: resetOf(choice) })}
                allowDeselect={false}
              />
              <TagsInput
                label={t('Allowed hosts')}
                description={t('Beside the hosts of its secrets')}
                value={values.allowed_hosts}
                onChange={(allowed_hosts) => change({ allowed_hosts })}
              />
              <Select
                label={t('Approval')}
                description={t('For callers that do not choose it; the tab Talk does')}
                data={[...MODES]}
                value={values.approval_mode}
                onChange={(mode) => mode && change({ approval_mode: mode })}
                allowDeselect={false}
              />
            </>
          )}
        </SavedForm>
      )}
    </Loaded>
  );
}
