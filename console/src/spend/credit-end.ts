import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { analytics, numberOf } from '../api/analytics';
import { useMay } from '../api/session';
import { rangeOf, type TimeRange } from '../format/ranges';
import { date } from '../format/times';
import { useScope } from '../scope/use-scope';
import { t } from '../text/translate';

const DAY_MS = 86_400_000;
/** A longer forecast is not meaningful. */
const MAX_FORECAST_DAYS = 3_650;

/** The time range for the rate of forecasts: the last seven days, as defined by the header. */
function useRateTime(): TimeRange {
  const { zone, asOf } = useScope();
  return useMemo(() => rangeOf({ range: '7d' }, zone, asOf), [zone, asOf]);
}

const perDayOf = (spend: number, { start, end }: TimeRange): number =>
  spend / ((Date.parse(end) - Date.parse(start)) / DAY_MS);

/** The spend of the account per day in USD, in all workspaces; undefined if unknown. */
export function useSpendPerDay(): number | undefined {
  const readsUsage = useMay('usage.sums');
  const time = useRateTime();
  const query = analytics({ metrics: ['credits_usage'], time_range: time });
  const { data } = useQuery({ ...query, enabled: readsUsage });
  return data && perDayOf(numberOf(data.rows[0], 'credits_usage'), time);
}

/**
 * The result of `useSpendPerDay`, computed from the spend in the shown time range; undefined if the spend is unknown or
 * the time range is not the one for forecasts.
 */
export function useShownSpendPerDay(spend: number | undefined, shown: TimeRange): number | undefined {
  const time = useRateTime();
  const isRateTime = time.start === shown.start && time.end === shown.end;
  return spend !== undefined && isRateTime ? perDayOf(spend, time) : undefined;
}

/**
 * The day on which the credits end, or `now`; null = not in the foreseeable future. `perDay`: the spend per day in USD.
 */
export function creditEnd(left: number, perDay: number, now: number): string | null {
  if (left <= 0) return t('now');
  const days = left / perDay;
  if (perDay <= 0 || days > MAX_FORECAST_DAYS) return null;
  return date(new Date(now + days * DAY_MS).toISOString());
}
