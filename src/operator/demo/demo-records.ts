import { generationDetail } from '../../usage/generation-detail.js';
import { MODALITY, type GenerationRecord } from '../../usage/generation-record.js';
import type { UsageLabels } from '../../usage/usage-labels.js';
import { newId } from '../../kernel/ids.js';
import type { DemoCall } from './demo-schedule.js';

type LabelKind = Parameters<UsageLabels['numberOf']>[0];
type LabelNumbers = Readonly<Record<LabelKind, ReadonlyMap<string, number>>>;

/** Makes the usage records of demo calls. */
export class DemoRecords {
  private constructor(private readonly numbers: LabelNumbers) {}

  /** Stores the labels of the calls, because records refer to labels by their numbers. */
  static async of(calls: readonly DemoCall[], accountNo: number, labels: UsageLabels): Promise<DemoRecords> {
    type TextOf = (call: DemoCall) => string | undefined;
    type NumberOf = (text: string) => number | Promise<number>;
    const numbered = async (textOf: TextOf, numberOf: NumberOf): Promise<Map<string, number>> => {
      const numbers = new Map<string, number>();
      for (const text of new Set(calls.map(textOf))) if (text !== undefined) numbers.set(text, await numberOf(text));
      return numbers;
    };
    const shared = (kind: LabelKind, textOf: TextOf) => numbered(textOf, (text) => labels.numberOf(kind, text));
    const own = (kind: LabelKind, textOf: TextOf) =>
      numbered(textOf, (text) => labels.numberFor(accountNo, kind, text));
    return new DemoRecords({
      model: await shared('model', ({ model }) => model),
      provider: await shared('provider', ({ outcome }) => outcome.endpoint.provider),
      finishReason: await shared('finishReason', ({ finishReason }) => finishReason),
      externalUser: await own('externalUser', ({ endUser }) => endUser),
      app: await own('app', ({ key }) => key.app),
      origin: await own('origin', ({ key }) => key.origin),
    });
  }

  of(call: DemoCall, workspaceNo: number): GenerationRecord {
    const { key, profile, outcome, usage, price, endUser } = call;
    const hasFinish = profile.modality === 'chat' && outcome.end === 'served';
    return {
      upstream_cost: price.price.toString(),
      workspace_no: workspaceNo,
      model: this.numbers.model.get(call.model)!,
      provider: this.numbers.provider.get(outcome.endpoint.provider)!,
      external_user: endUser === undefined ? null : this.numbers.externalUser.get(endUser)!,
      app: this.numbers.app.get(key.app)!,
      origin: key.origin === undefined ? null : this.numbers.origin.get(key.origin)!,
      finish_reason: hasFinish ? this.numbers.finishReason.get(call.finishReason)! : null,
      tokens_prompt: usage.prompt,
      tokens_completion: usage.completion,
      tokens_reasoning: usage.reasoning || null,
      tokens_cached: usage.cached || null,
      characters: usage.characters || null,
      latency_ms: call.firstByteMs,
      duration_ms: call.durationMs,
      status: outcome.status,
      images: outcome.end === 'failed' ? null : usage.images || null,
      modality: MODALITY[profile.modality],
      is_byok: call.isOwn && outcome.end !== 'failed',
      streamed: call.streamed,
      detail: detailOf(call),
    };
  }
}

const detailOf = ({ at, key, outcome, price, session }: DemoCall): GenerationRecord['detail'] =>
  generationDetail({
    requestId: newId(at.getTime()),
    sessionId: session,
    userAgent: key.client,
    title: key.app,
    httpReferer: key.origin,
    tags: key.tag === undefined ? undefined : [key.tag],
    attempts: outcome.attempts,
    cancelled: outcome.end === 'left',
    usageEstimated: outcome.end === 'left',
    priceLines: price.lines,
    cacheDiscount: price.cacheDiscount,
  });
