import type { Credits } from '../../billing/balances.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { CreditsData } from './dto/credits.response.dto.js';

export const toCreditsData = ({ granted, spent }: Credits): CreditsData => ({
  total_credits: nanoToUsd(granted),
  total_usage: nanoToUsd(spent),
});
