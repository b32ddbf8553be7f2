import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { usd } from '../../format/amounts';
import { moment } from '../../format/times';
import { t } from '../../text/translate';
import { resetWord } from '../../format/resets';

/** The spend and the remaining limit of the session's key. */
export function OwnKey(): ReactNode {
  const key = useQuery({
    queryKey: QUERY_KEYS.ownKey,
    queryFn: async () => (await body(api.GET('/api/v1/key'))).data,
  });
  return (
    <Stack>
      <PageHeader
        title={t('Overview')}
        about={t('This session has no management right: it shows what its own key spent and may see.')}
      />
      <Loaded query={key}>
        {(data) => (
          <Facts
            title={t('Key')}
            rows={[
              [t('Key'), data.label],
              [t('Spent today'), usd(data.usage_daily)],
              [t('Spent this week'), usd(data.usage_weekly)],
              [t('Spent this month'), usd(data.usage_monthly)],
              [t('Spent in all'), usd(data.usage)],
              [t('On own credentials, in all'), usd(data.byok_usage)],
              [t('Limit'), data.limit === null ? t('none') : `${usd(data.limit)} ${resetWord(data.limit_reset)}`],
              [t('Left of the limit'), data.limit === null ? t('unlimited') : usd(data.limit_remaining)],
              [t('Expires'), data.expires_at ? moment(data.expires_at) : t('never')],
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}
