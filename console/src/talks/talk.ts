export type PermissionOption = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';

export interface QuestionField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly description?: string;
  readonly required?: boolean;
}

/** What the intern needs to know before it goes on. */
export type Question =
  | { readonly kind: 'permission'; readonly operation: string; readonly options: readonly PermissionOption[] }
  | { readonly kind: 'elicitation'; readonly message: string; readonly fields: readonly QuestionField[] };

export interface AskedQuestion {
  readonly callId: string;
  /** As the intern sent them. */
  readonly arguments: string;
  readonly question: Question;
  /** Epoch milliseconds, of this browser. */
  readonly askedAt: number;
}

export type Decision = PermissionOption | 'accept' | 'decline' | 'cancel';

/** An entry of a conversation. The values that a user gave are not part of it: they may be secrets. */
export type Said =
  | { readonly by: 'you'; readonly text: string }
  | {
      readonly by: 'intern';
      readonly text: string;
      readonly reasoning?: string;
      /** USD, of the turn. */
      readonly cost?: number;
    }
  | { readonly by: 'question'; readonly question: Question; readonly decision: Decision };

/** A conversation with an intern, as this browser has seen it. */
export interface Talk {
  readonly said: readonly Said[];
  /** The question that waits for its answer. */
  readonly question: AskedQuestion | null;
}

export const EMPTY_TALK: Talk = { said: [], question: null };

const MAX_ENTRIES = 200;
const MAX_CHARACTERS = 100_000;

/** The newest entries of a conversation, as far as its bounds allow. */
export function bounded({ said, question }: Talk): Talk {
  let characters = JSON.stringify(question).length;
  const tooFar = said.findLastIndex((entry) => (characters += JSON.stringify(entry).length) > MAX_CHARACTERS);
  return { said: said.slice(Math.max(tooFar + 1, said.length - MAX_ENTRIES)), question };
}
