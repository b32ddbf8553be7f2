import { faultsOfMessage } from '../../../test/support/engines/chat-receiver.js';
import { EVENT_TYPES, TEST_EVENT } from '../event-types.js';
import { alertOf, type Alert, type AlertedEvent } from './alert.js';
import { discordMessage } from './discord-message.js';
import { emailMessage } from './email-message.js';
import { slackMessage } from './slack-message.js';
import { teamsMessage } from './teams-message.js';

const MESSAGES = { slack: slackMessage, discord: discordMessage, teams: teamsMessage } as const;
const SERVICES = ['slack', 'discord', 'teams'] as const;
const HASH = 'a'.repeat(64);

const event = (type: string, data: object, rest: Partial<AlertedEvent> = {}): AlertedEvent => ({
  type,
  data: data as AlertedEvent['data'],
  at: new Date('2026-11-27T10:45:00Z'),
  workspace: null,
  consoleUrl: null,
  ...rest,
});
const textOf = (type: string, data: object, rest: Partial<AlertedEvent> = {}): string =>
  alertOf(event(type, data, rest)).text;
const valueOf = ({ facts }: Alert, label: string): string | undefined => facts.find(([name]) => name === label)?.[1];

interface TeamsMessage {
  readonly attachments: readonly [{ readonly content: { readonly body: readonly TeamsBlock[] } }];
}
interface TeamsBlock {
  readonly type: string;
  readonly inlines: readonly { readonly type: string; readonly text: string }[];
}

const LIMIT = {
  hash: HASH,
  name: 'ci',
  workspace_id: 'w',
  threshold: 80,
  limit: 100,
  limit_reset: 'monthly',
  usage: 80,
};

describe('an alert', () => {
  it('names the key, the workspace, the amounts, the time of the reset, and the page with details', () => {
    const data = { ...LIMIT, window_start: '2026-12-01' };
    const alert = alertOf(
      event('key.limit.threshold', data, { workspace: 'Team A', consoleUrl: 'https://gate.example/console' }),
    );
    expect(alert).toEqual({
      severity: 'warning',
      title: 'The key "ci" has spent 80 % of its monthly limit',
      text:
        'The key "ci" of the workspace "Team A" has spent 80 % of its monthly limit: $80.00 of $100.00. It resets on ' +
        '1 January 2027 at 00:00 UTC. Calls are refused once it is used up. Raise the limit of the key if it needs ' +
        'more.',
      facts: [
        ['Spent', '$80.00'],
        ['Limit', '$100.00'],
        ['Resets', '1 January 2027 at 00:00 UTC'],
        ['Workspace', 'Team A'],
        ['Event', 'key.limit.threshold'],
        ['Time', '27 November 2026 at 10:45 UTC'],
      ],
      link: `https://gate.example/console/keys/${HASH}`,
    });
  });

  it.each([
    ['daily', '2026-11-30', '1 December 2026 at 00:00 UTC'],
    ['weekly', '2026-12-28', '4 January 2027 at 00:00 UTC'],
    ['monthly', '2026-01-01', '1 February 2026 at 00:00 UTC'],
    [null, null, undefined],
    ['monthly', 'soon', undefined],
  ])(
    'of a limit with the interval %s since %s names the time of the reset: %s',
    (limit_reset, window_start, expected) => {
      const alert = alertOf(event('key.limit.threshold', { ...LIMIT, limit_reset, window_start }));
      expect(valueOf(alert, 'Resets')).toBe(expected);
      if (limit_reset === null) expect(alert.text).toContain('It does not reset.');
      else expect(alert.text).toContain(`It resets ${expected === undefined ? 'monthly' : 'on'}`);
    },
  );

  it('of a limit that is used up is critical, and states that calls are refused', () => {
    const alert = alertOf(event('key.limit.threshold', { ...LIMIT, threshold: 100 }));
    expect(alert.severity).toBe('critical');
    expect(alert.text).toContain('Further calls are refused.');
  });

  it('of a refusal names the limit or the credits that did not cover the call', () => {
    expect(textOf('budget.refused', { name: 'ci', reason: 'key_limit' })).toContain('the limit of the key');
    expect(textOf('budget.refused', { name: 'ci', reason: 'insufficient_credits' })).toContain('Add credits');
    expect(textOf('budget.refused', { name: 'ci', reason: 'of a later version' })).toContain('does not cover it');
    const limited = { level: 'workspace', interval: 'monthly', value: null, reason: 'budget' };
    const budget = { hash: 'f'.repeat(64), name: 'ci', budget_name: 'team', ...limited };
    expect(textOf('budget.refused', budget)).toContain(
      'because the budget "team" of the workspace does not cover it. It resets monthly, at midnight UTC.',
    );
    expect(textOf('budget.refused', { ...budget, resets_at: '2026-12-01T00:00:00.000Z' })).toContain(
      'It resets on 1 December 2026 at 00:00 UTC.',
    );
  });

  it('of a budget names its owner', () => {
    const budget = { name: null, level: 'end_user', interval: 'daily', value: 'ada', window_start: '2026-11-27' };
    expect(textOf('budget.threshold', { ...budget, threshold: 95, limit: 2, usage: 1.9 })).toBe(
      'The budget of the end user "ada" has spent 95 % of its daily limit: $1.90 of $2.00. It resets on 28 November ' +
        '2026 at 00:00 UTC. Calls are refused once it is used up. Raise the budget if more is needed.',
    );
    const forever = { name: 'all', level: 'tag', interval: 'lifetime', threshold: 100, limit: 2, usage: 2 };
    expect(textOf('budget.threshold', forever)).toContain('of its lifetime limit: $2.00 of $2.00. It does not reset.');
  });

  it('prints amounts below a cent with the digits that they need', () => {
    expect(textOf('credits.low', { remaining: 0.000123, total_credits: 5, threshold: 0 })).toContain(
      'has $0.000123 left of $5.00, below the threshold of $0.00',
    );
  });

  it('of a type that this version does not know shows its data', () => {
    const data = { id: 'x', label: 'sk-...AbCd', provider: 'p', requests: 3, nested: { a: 1 }, none: null };
    const alert = alertOf(event('credential.something_new', data));
    expect(alert.title).toBe('Credential something new: sk-...AbCd');
    expect(alert.facts).toEqual([
      ['Id', 'x'],
      ['Label', 'sk-...AbCd'],
      ['Provider', 'p'],
      ['Requests', '3'],
      ['Event', 'credential.something_new'],
      ['Time', expect.any(String)],
    ]);
    expect(alertOf(event('constructor', {})).title).toBe('Constructor');
  });

  it.each([...EVENT_TYPES, TEST_EVENT, 'budget.threshold', 'credential.exhausted', 'credential.refused', '__proto__'])(
    'of %s is complete for any data',
    (type) => {
      const hostile = ['name', 'limit', 'usage', 'threshold', 'hash', 'id', 'provider', 'resets_at', 'window_start'];
      for (const value of [undefined, null, 7, '', 'x', [], { a: 1 }]) {
        const data = Object.fromEntries(hostile.map((name) => [name, value]));
        const { title, text, facts } = alertOf(event(type, data));
        expect([title, text].every((line) => line.length > 0 && !/undefined|null|object/.test(line))).toBe(true);
        expect(facts.every(([label, shown]) => label !== '' && shown !== '')).toBe(true);
      }
    },
  );

  const ODD_NAMES = {
    mentions: '<!channel> <@U1> @everyone <@&1> <@1> @here',
    links: '<https://evil.example|console> [console](https://evil.example) https://evil.example',
    markup: '**x** __y__ ~~z~~ `code` > # - \\ | *b* <b onclick="x">bold</b> &lt;',
    lines: 'a\r\nBcc: victim@example.com\u2028\u202egnp.exe\0\u0007',
    halves: 'x\ud83d',
  };

  it.each(SERVICES)('is a message that %s accepts, for any names of any length', (service) => {
    const long = ['&', '<', '"', '\\', '😀', '\u0001', '*'].map((character) => character.repeat(20_000));
    for (const name of [...Object.values(ODD_NAMES), ...long]) {
      const data = {
        ...LIMIT,
        name,
        message: name,
        provider: name,
        label: name,
        more: name,
        other: name,
        [name]: name,
      };
      for (const type of ['key.limit.threshold', 'intern.failed', 'endpoint.unhealthy', 'unknown', name]) {
        const alert = alertOf(event(type, data, { workspace: name, consoleUrl: 'https://gate.example/console' }));
        const body = JSON.stringify(MESSAGES[service](alert));
        expect([type, faultsOfMessage(service, body)]).toEqual([type, []]);
        // A cut inside a surrogate pair would leave a lone surrogate.
        expect(body).not.toMatch(/\\ud[89a-f]/);
      }
    }
  });

  it('escapes mentions and links in names in a chat message', () => {
    const alertNamed = (name: string): Alert => alertOf(event('key.created', { name }));
    const slack = JSON.stringify(slackMessage(alertNamed(ODD_NAMES.mentions)));
    expect(slack).toContain('&lt;!channel&gt;');
    expect(slack).not.toContain('<!');
    const discord = discordMessage(alertNamed(ODD_NAMES.links)) as { content: string };
    expect(discord.content).toContain(String.raw`\[console\]\(https\://evil.example\)`);
  });

  it('has names unchanged in the rich text of a Teams message, because rich text is not read as Markdown', () => {
    for (const name of [ODD_NAMES.mentions, ODD_NAMES.links, ODD_NAMES.markup]) {
      const alert = alertOf(event('key.created', { name }, { workspace: name }));
      expect(valueOf(alert, 'Workspace')).toBe(name);
      const { attachments } = teamsMessage(alert) as TeamsMessage;
      const [{ content }] = attachments;
      expect(new Set(content.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
      const runs = content.body.flatMap(({ inlines }) => inlines);
      expect(new Set(runs.map(({ type }) => type))).toEqual(new Set(['TextRun']));
      const facts = alert.facts.flatMap(([label, value]) => [`${label}: `, value]);
      expect(runs.map(({ text }) => text)).toEqual([alert.title, alert.text, ...facts]);
    }
  });

  it('is a mail with one subject line and escaped HTML', () => {
    const mail = emailMessage(alertOf(event('key.created', { name: ODD_NAMES.lines + ODD_NAMES.markup })));
    expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\u202e]/u);
    expect(mail.html).toContain('&lt;b onclick=&quot;x&quot;&gt;');
    expect(mail.html).not.toContain('<b ');
    expect(mail.text).toContain('<b onclick="x">');
  });
});
