import { oneLine, timeText, wordsOf } from './alert-words.js';
import { ALERT_TEXTS, type AlertText } from './alert-texts.js';
import { EventFacts } from './event-facts.js';

const MAX_TITLE_CHARACTERS = 150;
const MAX_TEXT_CHARACTERS = 1_200;
const MAX_FACTS = 8;
const MAX_LABEL_CHARACTERS = 40;
const MAX_LINK_CHARACTERS = 1_000;

/** An event, with additional data for its text. */
export interface AlertedEvent {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** The name of the workspace whose id is in the data. */
  readonly workspace: string | null;
  /** Base URL of the console's pages; null = the address of the service is unknown. */
  readonly consoleUrl: string | null;
}

/** An event as a message for people: plain lines of limited length without control characters. */
export interface Alert {
  readonly severity: AlertText['severity'];
  readonly title: string;
  readonly text: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly link: string | null;
}

/** Renders any event. For a type without its own text, the data of the event is shown. */
export function alertOf(event: AlertedEvent): Alert {
  const textOf = Object.hasOwn(ALERT_TEXTS, event.type) ? ALERT_TEXTS[event.type] : undefined;
  const own = textOf ? textOf(new EventFacts(event.data, event.workspace)) : unknownEvent(event);
  const link = event.consoleUrl === null ? null : event.consoleUrl + (own.page ?? '/');
  const facts = [...(own.facts ?? []), ['Event', event.type] as const, ['Time', timeText(event.at)] as const];
  return {
    severity: own.severity,
    title: oneLine(own.title, MAX_TITLE_CHARACTERS),
    text: oneLine(own.text, MAX_TEXT_CHARACTERS),
    facts: facts
      .map(([label, value]) => [oneLine(label, MAX_LABEL_CHARACTERS), oneLine(value)] as const)
      .filter(([label, value]) => label !== '' && value !== ''),
    link: link !== null && link.length <= MAX_LINK_CHARACTERS ? link : null,
  };
}

/** The text for an event type without its own text, such as a type of a newer version. */
function unknownEvent({ type, data }: AlertedEvent): AlertText {
  const facts = Object.entries(data)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .slice(0, MAX_FACTS)
    .map(([name, value]) => [wordsOf(name), String(value)] as const);
  const name = ['name', 'label', 'slug'].map((member) => data[member]).find((value) => typeof value === 'string');
  const title = (wordsOf(type) || 'Event') + (name === undefined ? '' : `: ${name}`);
  return { severity: 'warning', title, text: 'Open the console for the details.', facts };
}
