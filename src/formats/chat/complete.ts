import { badResponse, failedResponse } from '../bad-response.js';
import type { CompleteBody, WireReport } from '../client-format.js';
import { errorOf, restOf, usageOf } from './chunk-members.js';
import { finishReasonOf } from '../finish-reason.js';
import { LearntChoices, MARK, type ChoiceEnd } from '../relay/learnt-choices.js';
import { citationsOf, createdOf, normalisedMessage, normalisedRest, toolFunctionOf } from './normalised-message.js';
import { isSet, membersOf, objectsIn, textOf, wholeNumber, type Members } from '../members.js';
import { objectIn, printed, responseMembers } from '../response-members.js';
import type { ChatRelayTerms } from './relay.js';

type ChatCompletionTerms = Omit<ChatRelayTerms, 'choices'>;

interface NormalisedCompletionChoice extends ChoiceEnd {
  readonly choice: Members;
  readonly texts: readonly string[];
}

const learnt = new LearntChoices();

/**
 * A vendor's complete response in a form that all clients can read. Throws provider_failed if the response is invalid,
 * empty or ended by an error. If it contains an error object, throws the failure for that object. `forms`: the forms of
 * choices that were learnt from earlier responses.
 */
export function completeChat(body: Buffer, terms: ChatCompletionTerms, forms = learnt): CompleteBody & WireReport {
  return copiedCompletion(body, terms, forms) ?? parsedCompletion(body, terms, forms);
}

/** Undefined if the choices do not have a learnt form, or if other members affect the result. */
function copiedCompletion(
  body: Buffer,
  terms: ChatCompletionTerms,
  forms: LearntChoices,
): (CompleteBody & WireReport) | undefined {
  const copied = forms.copy(body, terms.excludesReasoning);
  const response = copied && objectIn(copied.rest);
  if (!response || errorOf(response) !== undefined || citationsOf(response)) return undefined;
  const content = textOf(response['choices']);
  if (!content?.startsWith(MARK)) return undefined;
  return completionOf(response, terms, { ...copied, texts: [content.slice(MARK.length)] });
}

function parsedCompletion(body: Buffer, terms: ChatCompletionTerms, forms: LearntChoices): CompleteBody & WireReport {
  const response = responseMembers(body, JSON.parse);
  const error = errorOf(response);
  if (error !== undefined) throw terms.failure(error);
  const { choices: sent } = response;
  if (!Array.isArray(sent) || sent.length === 0) throw badResponse('holds no choices');
  const citations = citationsOf(response);
  const normalised = normalisedChoices(sent, terms);
  const [first] = normalised as [NormalisedCompletionChoice];
  const choices = printed(
    normalised.map(({ choice }, index) => (index === 0 && citations ? annotated(choice, citations) : choice)),
  );
  const texts = normalised.flatMap((choice) => choice.texts);
  const completion = completionOf(response, terms, { ...first, choices, texts });
  const [content, ...others] = texts;
  if (!citations && content !== undefined && others.length === 0 && usageOf({ choices: sent }) === undefined)
    forms.learn(body, {
      finish: first.finish,
      native: first.native,
      excludesReasoning: terms.excludesReasoning,
      content,
      choices,
      print: (marked, id) => {
        const [again] = normalisedChoices(marked as unknown[], { ...terms, id });
        return again!.texts.join() === id ? printed([again!.choice]) : undefined;
      },
    });
  return completion;
}

/** `choices`: as JSON. */
function completionOf(
  response: Members,
  terms: ChatCompletionTerms,
  { choices, finish, native, texts }: ChoiceEnd & { readonly choices: string; readonly texts: readonly string[] },
): CompleteBody & WireReport {
  // Serialised before anything is billed, because a response that is nested too deeply counts as failed.
  const text = printed({
    id: terms.id,
    object: 'chat.completion',
    created: createdOf(response['created']) ?? terms.created,
    model: terms.model,
    provider: terms.provider,
    system_fingerprint: null,
    ...restOf(response),
  });
  return {
    usage: usageOf(response),
    upstreamId: textOf(response['id']) || undefined,
    serviceTier: textOf(response['service_tier']),
    finishReason: finish,
    nativeFinishReason: native,
    finished: true,
    sawOutput: texts.length > 0,
    text: () => [...texts],
    body: (usage) => `${text.slice(0, -1)},"choices":${choices},"usage":${JSON.stringify(usage)}}`,
  };
}

const normalisedChoices = (sent: readonly unknown[], terms: ChatCompletionTerms): NormalisedCompletionChoice[] =>
  sent.map((choice, position) => normalisedChoice(membersOf(choice), position, terms));

function normalisedChoice(choice: Members, position: number, terms: ChatCompletionTerms): NormalisedCompletionChoice {
  const { index, message, finish_reason: sentFinish, error, usage: _usage, delta: _delta, ...rest } = choice;
  if (isSet(error)) throw terms.failure(error);
  const sent = membersOf(message);
  const normalised = { role: 'assistant', content: null, ...normalisedMessage(sent) } as Record<string, unknown>;
  const at = wholeNumber(index) ?? position;
  const calls = objectsIn(sent['tool_calls']);
  if (calls.length > 0)
    normalised['tool_calls'] = calls.map((call, order) => toolCallOf(call, `call_${terms.id}_${at}_${order}`));
  const texts = textsOf(normalised);
  const hasOutput = texts.length > 0 || normalised['audio'] !== undefined || normalised['images'] !== undefined;
  // The body is complete, so a choice with content has ended even without a finish reason.
  const native = textOf(sentFinish) || null;
  if (native === null && !hasOutput) throw badResponse('is empty');
  const finish = finishReasonOf(native ?? 'stop', calls.length > 0);
  if (finish === 'error') throw failedResponse();
  if (terms.excludesReasoning) {
    delete normalised['reasoning'];
    delete normalised['reasoning_details'];
  }
  return {
    choice: {
      index: at,
      finish_reason: finish,
      ...normalisedRest(rest),
      native_finish_reason: native,
      message: normalised,
    },
    finish,
    native,
    texts,
  };
}

const toolCallOf = (
  { id, type: _type, index: _index, function: called, ...rest }: Members,
  ownId: string,
): Members => ({
  id: textOf(id) || ownId,
  type: 'function',
  ...rest,
  function: { name: '', arguments: '{}', ...toolFunctionOf(called) },
});

function textsOf({ content, reasoning, refusal, audio, tool_calls: calls }: Members): string[] {
  const called = objectsIn(calls).map((call) => membersOf(call['function']));
  return [
    content,
    reasoning,
    refusal,
    membersOf(audio)['transcript'],
    ...called.flatMap((call) => [call['name'], call['arguments']]),
  ].filter((text): text is string => typeof text === 'string' && text !== '');
}

function annotated(choice: Members, annotations: readonly Members[]): Members {
  const message = membersOf(choice['message']);
  return message['annotations'] === undefined ? { ...choice, message: { ...message, annotations } } : choice;
}
