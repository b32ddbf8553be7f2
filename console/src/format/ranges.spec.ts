import { choiceOf, granularityOf, rangeBefore, rangeOf, type RangeChoice } from './ranges';

const NOW = Date.parse('2026-03-15T13:45:10Z');
const inUtc = (choice: RangeChoice, now = NOW): string[] => {
  const { start, end } = rangeOf(choice, 'utc', now);
  return [start, end].map((iso) => iso.replace(':00.000Z', ''));
};

// The TypeScript project of the console does not include the types of Node.js.
const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;

describe('the time range of the console', () => {
  it.each([
    [{}, '2026-03-09T00:00', '2026-03-15T13:46'],
    [{ range: 'today' }, '2026-03-15T00:00', '2026-03-15T13:46'],
    [{ range: 'yesterday' }, '2026-03-14T00:00', '2026-03-15T00:00'],
    [{ range: '24h' }, '2026-03-14T14:00', '2026-03-15T13:46'],
    [{ range: '30d' }, '2026-02-14T00:00', '2026-03-15T13:46'],
    [{ range: '90d' }, '2025-12-16T00:00', '2026-03-15T13:46'],
    [{ range: 'month' }, '2026-03-01T00:00', '2026-03-15T13:46'],
    [{ range: 'last-month' }, '2026-02-01T00:00', '2026-03-01T00:00'],
  ] as const)('begins with a whole day or hour: %j', (choice, start, end) => {
    expect(inUtc(choice)).toEqual([start, end]);
  });

  it('includes both chosen days, in any order; a single chosen day is the whole range', () => {
    expect(inUtc({ range: 'today', from: '2026-02-27', to: '2026-03-01' })).toEqual([
      '2026-02-27T00:00',
      '2026-03-02T00:00',
    ]);
    expect(inUtc({ from: '2026-03-01', to: '2026-02-27' })).toEqual(['2026-02-27T00:00', '2026-03-02T00:00']);
    expect(inUtc({ from: '2026-02-28' })).toEqual(['2026-02-28T00:00', '2026-03-01T00:00']);
    expect(inUtc({ to: '2026-02-28' })).toEqual(['2026-02-28T00:00', '2026-03-01T00:00']);
  });

  it('begins and ends at the chosen times of day', () => {
    expect(inUtc({ from: '2026-03-01T14:00', to: '2026-03-01T15:00' })).toEqual([
      '2026-03-01T14:00',
      '2026-03-01T15:00',
    ]);
    expect(choiceOf(Date.parse('2026-03-01T14:00:00Z'), 'utc')).toBe('2026-03-01T14:00');
    const { start } = rangeOf({ from: choiceOf(NOW, 'local') }, 'local', NOW);
    expect(start).toBe('2026-03-15T13:45:00.000Z');
  });

  it('may be in the previous year', () => {
    const newYear = Date.parse('2026-01-01T00:00:30Z');
    expect(inUtc({ range: 'last-month' }, newYear)).toEqual(['2025-12-01T00:00', '2026-01-01T00:00']);
    expect(inUtc({ range: 'yesterday' }, newYear)).toEqual(['2025-12-31T00:00', '2026-01-01T00:00']);
  });

  it('has days of the local time zone, which have 23 or 25 hours when the clock changes', () => {
    const days = (from: string): number => {
      const { start, end } = rangeOf({ from }, 'local', NOW);
      expect([new Date(start).getHours(), new Date(end).getHours()]).toEqual([0, 0]);
      return (Date.parse(end) - Date.parse(start)) / 3_600_000;
    };
    const zone = env['TZ'];
    env['TZ'] = 'Europe/Berlin';
    try {
      expect([days('2026-03-28'), days('2026-03-29'), days('2026-10-25')]).toEqual([24, 23, 25]);
    } finally {
      if (zone === undefined) delete env['TZ'];
      else env['TZ'] = zone;
    }
  });

  it('is compared with the previous period of the same length', () => {
    expect(rangeBefore({ start: '2026-03-03T00:00:00.000Z', end: '2026-03-05T12:00:00.000Z' })).toEqual({
      start: '2026-02-28T12:00:00.000Z',
      end: '2026-03-03T00:00:00.000Z',
    });
  });

  it('has a granularity that suits its length', () => {
    const of = (choice: RangeChoice): string => granularityOf(rangeOf(choice, 'utc', NOW));
    expect([of({ range: 'today' }), of({ range: '24h' }), of({ range: '7d' }), of({ range: '90d' })]).toEqual([
      'hour',
      'hour',
      'day',
      'day',
    ]);
    expect(of({ from: '2025-01-01', to: '2026-01-01' })).toBe('week');
    expect(of({ from: '2026-03-01T14:00', to: '2026-03-01T15:00' })).toBe('minute');
  });
});
