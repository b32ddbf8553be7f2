const MAX_ARGUMENTS_CHARACTERS = 16_384;
const MAX_QUOTED_NAME_CHARACTERS = 64;

/** The result of `/call <tool> <JSON object>`: a call, or a text that explains why there is none. */
export type Command =
  | { readonly type: 'call'; readonly name: string; readonly json: string }
  | { readonly type: 'refusal'; readonly text: string };

export const isCommand = (message: string): boolean => /^\s*\/call(\s|$)/.test(message);

/** Parses a message as a command; undefined for any other message. Without arguments, the tool is called with `{}`. */
export function readCommand(message: string, tools: ReadonlyArray<{ readonly name: string }>): Command | undefined {
  if (!isCommand(message)) return undefined;
  const rest = message.trim().slice('/call'.length).trimStart();
  const end = rest.search(/\s/);
  const name = end < 0 ? rest : rest.slice(0, end);
  const json = (end < 0 ? '' : rest.slice(end).trimStart()) || '{}';

  if (name === '') return refusal('Write "/call <tool> <JSON arguments>", for example /call add {"a": 1, "b": 2}.');
  if (!tools.some((tool) => tool.name === name)) {
    const quoted = name.slice(0, MAX_QUOTED_NAME_CHARACTERS);
    return refusal(`I can't call "${quoted}": the request offers no tool of that name.`);
  }
  if (json.length > MAX_ARGUMENTS_CHARACTERS) {
    return refusal(`I can't call "${name}": its arguments have more than ${MAX_ARGUMENTS_CHARACTERS} characters.`);
  }
  if (!isJsonObject(json)) return refusal(`I can't call "${name}": its arguments are not a JSON object.`);
  return { type: 'call', name, json };
}

const refusal = (text: string): Command => ({ type: 'refusal', text });

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
