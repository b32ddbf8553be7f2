import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { invalidRequest } from '../kernel/errors/errors.js';
import { MAX_LIMIT_USD, usdToNano, type Nano } from '../kernel/money.js';

const HEADER = 'X-Gatehouse-Session-Budget';
export const SESSION_BUDGET_HEADER = HEADER.toLowerCase();
const AMOUNT = /^\d{1,10}(?:\.\d{1,9})?$/;
const MAX_AMOUNT = usdToNano(MAX_LIMIT_USD);

/**
 * The maximum spend of the call's session, from the header X-Gatehouse-Session-Budget. Undefined without the header.
 * Throws invalid_request if the value is not an amount, or if the call has no session.
 */
export function sessionBudget(header: string | string[] | undefined, session: string | undefined): Nano | undefined {
  if (header === undefined) return undefined;
  const amount = typeof header === 'string' && AMOUNT.test(header) ? usdToNano(header) : 0n;
  if (amount <= 0n || amount > MAX_AMOUNT)
    throw invalidRequest(
      `${HEADER} must be an amount in USD such as 2.50: above 0, at most ${MAX_LIMIT_USD}, with at most 9 decimals`,
    );
  if (session === undefined)
    throw invalidRequest(`${HEADER} limits a session: name it by session_id or the header X-Session-Id`);
  return amount;
}

/**
 * Documents the call headers that this service defines. They have no examples, because Swagger UI would send examples
 * with each request.
 */
export const CallHeaders = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: HEADER,
      required: false,
      schema: { type: 'string', pattern: AMOUNT.source },
      description:
        "The maximum spend of the call's session, in USD, such as 2.50. The lowest value of its calls " +
        'applies; it cannot exceed session_limit_usd of the key. Requires a session: session_id, or the ' +
        'header X-Session-Id.',
    }),
    ApiHeader({
      name: 'X-Gatehouse-Tags',
      required: false,
      schema: { type: 'string' },
      description:
        'Labels of the call, separated by commas, such as research,nightly: at most 8 of at most 64 characters.',
    }),
  );
