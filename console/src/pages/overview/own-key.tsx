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

/** What the key of the session spent and may still spend. */
export function OwnKey(): ReactNode {
  const key = useQuery({
    queryKey: QUERY_KEYS.ownKey,
    queryFn: async () => (await body(api.GET('/api/v1/key'))).data,
  });
  return (
    <Stack>
      <PageHeader
        title="Overview"
        about="This session has no management right: it shows what its own key spent and may see."
      />
      <Loaded query={key}>
        {(data) => (
          <Facts
            title="Key"
            rows={[
              ['Key', data.label],
              ['Spent today', usd(data.usage_daily)],
              ['Spent this week', usd(data.usage_weekly)],
              ['Spent this month', usd(data.usage_monthly)],
              ['Spent in all', usd(data.usage)],
              ['On own credentials, in all', usd(data.byok_usage)],
              ['Limit', data.limit === null ? 'none' : `${usd(data.limit)} ${data.limit_reset ?? ''}`],
              ['Left of the limit', data.limit === null ? 'unlimited' : usd(data.limit_remaining)],
              ['Expires', data.expires_at ? moment(data.expires_at) : 'never'],
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}
