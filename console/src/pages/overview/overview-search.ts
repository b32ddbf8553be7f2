import { isRange, type RangeName } from '../../format/times';

export interface OverviewSearch {
  readonly range?: RangeName;
}

export const overviewSearch = ({ range }: Record<string, unknown>): OverviewSearch => (isRange(range) ? { range } : {});
