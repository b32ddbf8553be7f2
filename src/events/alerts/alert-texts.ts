import { TEST_EVENT } from '../event-types.js';
import { wordsOf } from './alert-words.js';
import type { EventFacts } from './event-facts.js';

/** The text of an event for people: what happened, and what to do about it. */
export interface AlertText {
  readonly severity: 'information' | 'warning' | 'critical' | 'resolved';
  readonly title: string;
  readonly text: string;
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** A page of the console, such as `/credits`. */
  readonly page?: string;
}

const PERCENT_USED_UP = 100;

const keyPage = (facts: EventFacts): string => {
  const hash = facts.text('hash');
  return hash === undefined ? '/keys' : `/keys/${encodeURIComponent(hash)}`;
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const WINDOWS: readonly (string | undefined)[] = ['daily', 'weekly', 'monthly'];

function resets({ resetTime, interval }: EventFacts): string {
  if (resetTime !== undefined) return `It resets on ${resetTime}.`;
  return WINDOWS.includes(interval) ? `It resets ${interval}, at midnight UTC.` : 'It does not reset.';
}

/**
 * A phrase such as `the budget "team" of the workspace`. If the budget has several balances, the phrase ends with the
 * value to which the balance belongs.
 */
function budgetName(facts: EventFacts): string {
  const level = facts.text('level');
  const value = facts.text('value');
  // If the event has a `hash`, it reports a refused call, and `name` is the name of the key.
  const name = facts.text('budget_name') ?? (facts.text('hash') === undefined ? facts.text('name') : undefined);
  return (
    `the budget${name === undefined ? '' : ` "${name}"`}` +
    `${level === undefined ? '' : ` of the ${wordsOf(level).toLowerCase()}`}${value === undefined ? '' : ` "${value}"`}`
  );
}

/** The text for a threshold of the limit of a key or a budget. */
function threshold(facts: EventFacts, what: string, remedy: string, page: string): AlertText {
  const percent = facts.number('threshold', 'percent');
  const spent = facts.usd('usage', 'spent_usd', 'spent');
  const limit = facts.usd('effective_limit_usd', 'limit_usd', 'limit');
  const isUsedUp = percent !== undefined && percent >= PERCENT_USED_UP;
  const part = percent === undefined ? 'a threshold of' : `${percent} % of`;
  const amounts = spent === undefined || limit === undefined ? '' : `: ${spent} of ${limit}`;
  const outlook = isUsedUp ? 'Further calls are refused.' : 'Calls are refused once it is used up.';
  const limitName = facts.interval === undefined ? 'limit' : `${facts.interval} limit`;
  const happened = `has spent ${part} its ${limitName}`;
  return {
    severity: isUsedUp ? 'critical' : 'warning',
    title: `${what} ${happened}`,
    text: `${what}${facts.ofWorkspace} ${happened}${amounts}. ${resets(facts)} ${outlook} ${remedy}`,
    facts: facts.listed(['Spent', spent], ['Limit', limit], ['Resets', facts.resetTime]),
    page,
  };
}

const REFUSED_BECAUSE: Readonly<Record<string, string>> = {
  insufficient_credits: 'the credits of the account do not cover it. Add credits.',
  key_limit: 'the limit of the key does not cover it. Raise the limit, or wait until it resets.',
  parent_limit: 'the limit of the key that created the intern does not cover it. Raise that limit.',
};

function refused(facts: EventFacts): AlertText {
  const key = `the key ${facts.name('of the account')}`;
  const because =
    facts.text('level') !== undefined
      ? `${budgetName(facts)} does not cover it. ${resets(facts)} Raise it, or wait.`
      : (REFUSED_BECAUSE[facts.text('reason') ?? ''] ?? 'the money that is left does not cover it.');
  return {
    severity: 'critical',
    title: `A call of ${key} was refused for lack of money`,
    text:
      `A call of ${key}${facts.ofWorkspace} was refused, because ${because} ` +
      'Further refusals of this key within the same hour are not reported.',
    facts: facts.listed(['Reason', facts.text('reason')], ['Resets', facts.resetTime]),
    page: keyPage(facts),
  };
}

const credential = (facts: EventFacts): string => {
  const provider = facts.text('provider');
  return `The credential ${facts.name('of the service')}${provider === undefined ? '' : ` at ${provider}`}`;
};

const credentialFacts = (facts: EventFacts): AlertText['facts'] =>
  facts.listed(
    ['Provider', facts.text('provider')],
    ['Credential', facts.text('label')],
    ['Status', facts.number('status')?.toString()],
    ['Since', facts.time('since')],
  );

function endpoint(facts: EventFacts): string {
  const what = [facts.text('model'), facts.text('capability')].filter((word) => word !== undefined).join(', ');
  return `${facts.text('provider') ?? 'A provider'}${what === '' ? '' : ` (${what})`}`;
}

const keyName = (facts: EventFacts): string => `The key ${facts.name('of the account')}`;
const internName = (facts: EventFacts): string => `The intern ${facts.name('of the account')}`;

/** Texts by event type. Some types have no text. */
export const ALERT_TEXTS: Readonly<Record<string, (facts: EventFacts) => AlertText>> = {
  'key.limit.threshold': (facts) =>
    threshold(facts, keyName(facts), 'Raise the limit of the key if it needs more.', keyPage(facts)),
  'budget.threshold': (facts) =>
    threshold(facts, capitalized(budgetName(facts)), 'Raise the budget if more is needed.', '/'),
  'budget.refused': refused,
  'credits.low': (facts) => ({
    severity: 'critical',
    title: `Credits are low: ${facts.usd('remaining') ?? 'little'} left`,
    text:
      `The account has ${facts.usd('remaining') ?? 'little'} left of ${facts.usd('total_credits') ?? 'its credits'}, ` +
      `below the threshold of ${facts.usd('threshold') ?? 'the service'}. ` +
      'Calls are refused once nothing is left: add credits.',
    facts: facts.listed(['Left', facts.usd('remaining')], ['Spent', facts.usd('total_usage')]),
    page: '/credits',
  }),
  'credential.exhausted': (facts) => ({
    severity: 'critical',
    title: `${credential(facts)} has no money or quota left`,
    text:
      `${credential(facts)} was refused by the provider for lack of money or quota. Calls use other ` +
      'credentials, or fail if there is none: pay at the provider, or add a credential.',
    facts: credentialFacts(facts),
    page: '/channels',
  }),
  'credential.refused': (facts) => ({
    severity: 'critical',
    title: `${credential(facts)} was refused`,
    text:
      `${credential(facts)} was refused by the provider: it is wrong, expired or withdrawn. Calls use ` +
      'other credentials, or fail if there is none: replace it.',
    facts: credentialFacts(facts),
    page: '/channels',
  }),
  'credential.recovered': (facts) => ({
    severity: 'resolved',
    title: `${credential(facts)} serves again`,
    text: `${credential(facts)} serves calls again. No action is needed.`,
    facts: credentialFacts(facts),
    page: '/channels',
  }),
  'endpoint.unhealthy': (facts) => ({
    severity: 'critical',
    title: `${endpoint(facts)} does not respond`,
    text:
      `${endpoint(facts)} has failed several times in a row and is not called for a while. Calls use other ` +
      "endpoints of the model, or fail if there is none. Look at the provider's status page.",
    facts: facts.listed(['Provider', facts.text('provider')], ['Model', facts.text('model')]),
    page: '/health',
  }),
  'endpoint.recovered': (facts) => ({
    severity: 'resolved',
    title: `${endpoint(facts)} responds again`,
    text: `${endpoint(facts)} has recovered. No action is needed.`,
    facts: facts.listed(['Provider', facts.text('provider')], ['Model', facts.text('model')]),
    page: '/health',
  }),
  'key.created': (facts) => ({
    severity: 'information',
    title: `${keyName(facts)} was created`,
    text: `${keyName(facts)}${facts.ofWorkspace} was created. Disable it if you do not know it.`,
    facts: facts.listed(),
    page: keyPage(facts),
  }),
  'key.disabled': (facts) => ({
    severity: 'information',
    title: `${keyName(facts)} was disabled`,
    text: `${keyName(facts)}${facts.ofWorkspace} was disabled. Its calls are refused until it is enabled.`,
    facts: facts.listed(),
    page: keyPage(facts),
  }),
  'intern.failed': (facts) => ({
    severity: 'critical',
    title: `${internName(facts)} failed`,
    text: `${internName(facts)}${facts.ofWorkspace} failed: ${facts.text('message') ?? 'the reason is not known'}`,
    facts: facts.listed(),
    page: `/interns/${encodeURIComponent(facts.text('id') ?? '')}`,
  }),
  'member.removed': (facts) => ({
    severity: 'information',
    title: `The member ${facts.name('of the account')} was ${facts.isTrue('deactivated') ? 'deactivated' : 'removed'}`,
    text:
      `The member ${facts.name('of the account')}, ${facts.text('role') ?? 'of an unknown role'}, was ` +
      `${facts.isTrue('deactivated') ? 'deactivated' : 'removed'}. Their keys no longer work.`,
    facts: facts.listed(['Role', facts.text('role')]),
    page: '/members',
  }),
  'webhook.disabled': (facts) => ({
    severity: 'warning',
    title: 'A webhook was disabled',
    text:
      `Nothing could be delivered to ${facts.text('url') ?? 'a webhook'} for three days, so it was disabled. ` +
      'Check the receiver, then enable the webhook.',
    facts: facts.listed(),
    page: '/webhooks',
  }),
  [TEST_EVENT]: () => ({
    severity: 'information',
    title: 'Test of an alert',
    text: 'A user requested this test. Alerts of the account arrive here.',
    page: '/webhooks',
  }),
};
