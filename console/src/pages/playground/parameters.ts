/** What was typed; empty = not sent. */
export interface ParameterFields {
  readonly temperature: string;
  readonly maxTokens: string;
  readonly topP: string;
  readonly seed: string;
  readonly effort: string;
  /** JSON: a list of tools, as the API takes them. */
  readonly tools: string;
  /** A JSON schema that the answer must have. */
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

export const EFFORTS = ['minimal', 'low', 'medium', 'high'] as const;

export interface ReadParameters {
  /** Members of the request. */
  readonly json: Readonly<Record<string, unknown>>;
  /** What is wrong with a field; the request is not sent then. */
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

/** The members of a request of chat for what was typed. */
export function readParameters(fields: ParameterFields): ReadParameters {
  const json: Record<string, unknown> = {};
  const faults: Partial<Record<keyof ParameterFields, string>> = {};
  const number = (field: 'temperature' | 'maxTokens' | 'topP' | 'seed', member: string): void => {
    const text = fields[field].trim();
    if (text === '') return;
    if (Number.isFinite(Number(text))) json[member] = Number(text);
    else faults[field] = 'A number is needed';
  };
  number('temperature', 'temperature');
  number('maxTokens', 'max_tokens');
  number('topP', 'top_p');
  number('seed', 'seed');
  if (fields.effort !== '') json['reasoning_effort'] = fields.effort;
  if (fields.tools.trim() !== '') {
    const tools = parsed(fields.tools);
    if (Array.isArray(tools)) json['tools'] = tools;
    else faults.tools = 'A list of tools in JSON is needed: [{"type":"function","function":{"name":"…"}}]';
  }
  if (fields.schema.trim() !== '') {
    const schema = parsed(fields.schema);
    if (isObject(schema))
      json['response_format'] = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
    else faults.schema = 'A JSON schema is needed: {"type":"object",…}';
  }
  return { json, faults };
}
