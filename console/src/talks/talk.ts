export type PermissionOption = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';

export interface QuestionField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly description?: string;
  readonly required?: boolean;
}

/** A question that a person must answer before the intern continues. */
export type Question =
  | { readonly kind: 'permission'; readonly operation: string; readonly options: readonly PermissionOption[] }
  | { readonly kind: 'elicitation'; readonly message: string; readonly fields: readonly QuestionField[] };

export interface AskedQuestion {
  readonly callId: string;
  /** The arguments as the intern sent them. */
  readonly arguments: string;
  readonly question: Question;
  /** Epoch milliseconds by this browser's clock. */
  readonly askedAt: number;
}

export type Decision = PermissionOption | 'accept' | 'decline' | 'cancel';

/** An entry of a conversation. It does not include values that a user entered, because they may be secrets. */
export type Said =
  | { readonly by: 'you'; readonly text: string }
  | {
      readonly by: 'intern';
      readonly text: string;
      readonly reasoning?: string;
      /** The cost of the turn in USD. */
      readonly cost?: number;
      /** The time from the message or the answer to the end of the response, measured in this browser. */
      readonly tookMs?: number;
    }
  | {
      readonly by: 'question';
      readonly question: Question;
      readonly decision: Decision;
      /** The time from the answer to the intern's next output, measured in this browser. */
      readonly tookMs?: number;
    };

/** A conversation with an intern, as received by this browser. */
export interface Talk {
  readonly said: readonly Said[];
  /** The question that can be answered; null = none. */
  readonly question: AskedQuestion | null;
}

export const EMPTY_TALK: Talk = { said: [], question: null };

const MAX_ENTRIES = 200;
const MAX_CHARACTERS = 100_000;

/** The newest entries of a conversation, reduced to its maximum size. */
export function bounded({ said, question }: Talk): Talk {
  let characters = JSON.stringify(question).length;
  const tooFar = said.findLastIndex((entry) => (characters += JSON.stringify(entry).length) > MAX_CHARACTERS);
  return { said: said.slice(Math.max(tooFar + 1, said.length - MAX_ENTRIES)), question };
}
