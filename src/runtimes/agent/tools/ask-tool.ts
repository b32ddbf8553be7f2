import type { QuestionField } from '../../turn.ts';
import { objectSchema, ToolError, type AgentTool } from './tool.ts';

const MAX_MESSAGE_CHARACTERS = 4_000;
const MAX_FIELDS = 20;
const MAX_NAME_CHARACTERS = 64;
const MAX_DESCRIPTION_CHARACTERS = 500;
const MAX_CONTENT_CHARACTERS = 65_536;
const TYPES: readonly unknown[] = ['string', 'number', 'boolean'] satisfies QuestionField['type'][];
const ANY_TEXT: readonly QuestionField[] = [{ name: 'answer', type: 'string', required: true }];

/** Asks the user for information. */
export const ASK_TOOL: AgentTool = {
  name: 'ask',
  description: 'Asks the user for information that you need, and waits for the answer.',
  parameters: objectSchema(
    {
      message: { type: 'string' },
      fields: {
        type: 'array',
        description: 'The fields to ask for. If absent or empty, the tool asks for one text.',
        items: objectSchema(
          {
            name: { type: 'string' },
            type: { type: 'string', enum: TYPES },
            description: { type: 'string' },
            required: { type: 'boolean' },
          },
          ['name', 'type'],
        ),
      },
    },
    ['message'],
  ),
  prepare: (args) => {
    const message = args.text('message', MAX_MESSAGE_CHARACTERS);
    const fields = args.list('fields', MAX_FIELDS).map(fieldOf);
    return {
      hasEffect: false,
      run: async ({ ask }) => {
        const answer = await ask({ kind: 'elicitation', message, fields: fields.length > 0 ? fields : ANY_TEXT });
        if (answer.kind !== 'elicitation' || answer.action === 'cancel') return 'The user dismissed the question.';
        if (answer.action === 'decline') return 'The user declined to answer.';
        return JSON.stringify(answer.content ?? {}).slice(0, MAX_CONTENT_CHARACTERS);
      },
    };
  },
};

function fieldOf(value: unknown): QuestionField {
  const { name, type, description, required } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARACTERS)
    throw new ToolError(`A field needs a name of at most ${MAX_NAME_CHARACTERS} characters`);
  if (!TYPES.includes(type)) throw new ToolError('The type of a field must be string, number or boolean');
  return {
    name,
    type: type as QuestionField['type'],
    ...(typeof description === 'string' ? { description: description.slice(0, MAX_DESCRIPTION_CHARACTERS) } : {}),
    ...(typeof required === 'boolean' ? { required } : {}),
  };
}
