import { t } from '../../text/translate';

/** The typed texts; empty = not sent. */
export interface ParameterFields {
  readonly temperature: string;
  readonly maxTokens: string;
  readonly topP: string;
  readonly seed: string;
  readonly effort: string;
  /** JSON: a list of tools in the format of the API. */
  readonly tools: string;
  /** The JSON schema of the answer. */
  readonly schema: string;
}

export const NO_PARAMETERS: ParameterFields = {
  temperature: '',
  maxTokens: '',
  topP: '',
  seed: '',
  effort: '',
  tools: '',
  schema: '',
};

export const EFFORTS = [
  { value: 'minimal', label: t('minimal') },
  { value: 'low', label: t('low') },
  { value: 'medium', label: t('medium') },
  { value: 'high', label: t('high') },
];

export interface ReadParameters {
  /** Members of the request. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The errors of fields. A request with errors is not sent. */
  readonly faults: Partial<Record<keyof ParameterFields, string>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts the typed texts to members of a chat request. */
export function readParameters(fields: ParameterFields): ReadParameters {
  const json: Record<string, unknown> = {};
  const faults: Partial<Record<keyof ParameterFields, string>> = {};
  const number = (field: 'temperature' | 'maxTokens' | 'topP' | 'seed', member: string): void => {
    const text = fields[field].trim();
    if (text === '') return;
    if (Number.isFinite(Number(text))) json[member] = Number(text);
    else faults[field] = t('A number is needed');
  };
  number('temperature', 'temperature');
  number('maxTokens', 'max_tokens');
  number('topP', 'top_p');
  number('seed', 'seed');
  if (fields.effort !== '') json['reasoning_effort'] = fields.effort;
  if (fields.tools.trim() !== '') {
    const tools = parsed(fields.tools);
    if (Array.isArray(tools)) json['tools'] = tools;
    else faults.tools = t('A list of tools in JSON is needed: [{"type":"function","function":{"name":"…"}}]');
  }
  if (fields.schema.trim() !== '') {
    const schema = parsed(fields.schema);
    if (isObject(schema))
      json['response_format'] = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
    else faults.schema = t('A JSON schema is needed: {"type":"object",…}');
  }
  return { json, faults };
}
