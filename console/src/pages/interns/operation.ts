import { t } from '../../text/translate';

/** A call of a tool, read from the text of the question that asks for its permission. */
export interface Operation {
  readonly tool: string;
  readonly arguments: readonly (readonly [name: string, value: string])[];
  /** Effects of the answer in addition to the call itself. */
  readonly effects: readonly string[];
  /** The scope of "always"; undefined if the text does not contain it. */
  readonly covers: string | undefined;
}

// A text of the model, on one line and in quotes. A long text has both ends, and the number of omitted characters.
const TEXT = String.raw`"(?:[^"\\]|\\.)*"(?: … \d+ characters left out … "(?:[^"\\]|\\.)*")?`;
const COVERS = `${t('"Always" covers, in this session:')} `;
const EFFECTS = [`${t('Secrets that are filled in:')} `, `${t('Opens the host')} `];
const FORMS: readonly (readonly [form: RegExp, names: readonly string[]])[] = [
  [new RegExp(`^(write|append to) (${TEXT}): (${TEXT})$`), ['action', 'path', 'content']],
  [new RegExp(`^(add|replace the memory by) (${TEXT})$`), ['action', 'note']],
  [new RegExp(`^([A-Z]{3,7}) (${TEXT})$`), ['method', 'url']],
  [new RegExp(`^(${TEXT}(?: ${TEXT})*)$`), ['command']],
];
const HEADER = new RegExp(`^  (${TEXT}): (${TEXT})$`);
const BODY = new RegExp(`^Body, \\d+ characters: (${TEXT})$`);

/** Lines of an unknown form become arguments, so that no part of a question is lost. */
export function readOperation(text: string): Operation {
  const [first = '', ...more] = text.split('\n');
  const [, tool, call] = /^([a-z_]+): (.*)$/.exec(first) ?? [undefined, 'Call', first];
  const isEffect = (line: string): boolean => EFFECTS.some((begin) => line.startsWith(begin));
  const covers = more.at(-1)?.startsWith(COVERS) ? more.pop()!.slice(COVERS.length) : undefined;
  return {
    tool,
    arguments: [...argumentsOf(call), ...more.filter((line) => !isEffect(line)).flatMap(partOf)],
    effects: more.filter(isEffect),
    covers,
  };
}

function argumentsOf(call: string): (readonly [string, string])[] {
  for (const [form, names] of FORMS) {
    const values = form.exec(call)?.slice(1);
    if (values) return names.map((name, at) => [name, names.length > 1 ? unquoted(values[at]!) : values[at]!] as const);
  }
  return [['call', call]];
}

function partOf(line: string): (readonly [string, string])[] {
  const [, name, value] = HEADER.exec(line) ?? [];
  if (name !== undefined) return [[t('header {name}', { name: unquoted(name) }), unquoted(value!)]];
  const body = BODY.exec(line)?.[1];
  if (body !== undefined) return [['body', unquoted(body)]];
  return line === 'Headers:' || line === 'No body' ? [] : [['', line]];
}

const SIGNS: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\"': '"', '\\\\': '\\' };

/**
 * The original text of the model. Escapes of hidden characters are kept, because the characters could mislead the
 * reader. A shortened text stays in quotes.
 */
function unquoted(text: string): string {
  const [, inside] = new RegExp(`^"((?:[^"\\\\]|\\\\.)*)"$`).exec(text) ?? [];
  return inside === undefined ? text : inside.replace(/\\[nt"\\]/g, (sign) => SIGNS[sign]!);
}
