import { endOfWindow, oneLine, timeText, usdText } from './alert-words.js';

const MAX_TEXT_CHARACTERS = 300;
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * Reads the data of an event. Every member may be absent or have another type, because another version of the service
 * may have written the event.
 */
export class EventFacts {
  constructor(
    private readonly data: Readonly<Record<string, unknown>>,
    private readonly workspaceName: string | null,
  ) {}

  /** The first of these members that is a text, as one line. */
  text(...names: readonly string[]): string | undefined {
    return names
      .map((name) => this.data[name])
      .map((value) => (typeof value === 'string' ? oneLine(value, MAX_TEXT_CHARACTERS) : ''))
      .find((value) => value !== '');
  }

  number(...names: readonly string[]): number | undefined {
    return names.map((name) => this.data[name]).find((value) => typeof value === 'number');
  }

  isTrue(name: string): boolean {
    return this.data[name] === true;
  }

  /** The first of these members that is an amount, as text. */
  usd(...names: readonly string[]): string | undefined {
    const amount = this.number(...names);
    return amount === undefined ? undefined : usdText(amount);
  }

  /** The name in quotes, such as `"ci"`. Without a name: `instead`. */
  name(instead: string): string {
    const name = this.text('name', 'label');
    return name === undefined ? instead : `"${name}"`;
  }

  /** A phrase such as ` of the workspace "Default"`; empty if the workspace is unknown. */
  get ofWorkspace(): string {
    return this.workspaceName === null ? '' : ` of the workspace "${this.workspaceName}"`;
  }

  /** The interval after which the limit resets, such as `monthly`. */
  get interval(): string | undefined {
    return this.text('interval', 'reset_interval', 'limit_reset');
  }

  time(name: string): string | undefined {
    const given = this.text(name);
    return given === undefined || !ISO_TIME.test(given) ? undefined : timeTextOf(new Date(given));
  }

  /** The time at which the window ends, as text; undefined = never, or unknown. */
  get resetTime(): string | undefined {
    return this.time('resets_at') ?? timeTextOf(endOfWindow(this.interval, this.data['window_start']));
  }

  /** The entries that have a value, and the workspace if it is known. */
  listed(...entries: readonly (readonly [label: string, value: string | undefined])[]): (readonly [string, string])[] {
    const workspace = this.workspaceName === null ? [] : [['Workspace', this.workspaceName] as const];
    const known = entries.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
    return [...known, ...workspace];
  }
}

const timeTextOf = (time: Date | undefined): string | undefined =>
  time === undefined || Number.isNaN(time.getTime()) ? undefined : timeText(time);
