import type { StartedBytes } from '../../billing/started-bytes.js';
import type { Attempt, ByteStreamResponse, CompleteResponse, Output } from '../task.js';
import type { ClientFormat } from '../../formats/client-format.js';
import type { TextCharge } from '../text/text-charge.js';
import { FREE_BILL } from './cached-text.js';
import { billOf, billedOutput } from './text-bill.js';
import type { TextBody, TextStream } from './text-response.js';

// These are classes, because V8 creates a map (hidden class) for every object literal with a getter. The map, and
// everything to which the getter refers, is kept until the next full garbage collection.

/** A complete response. Its content is the body with the given usage, by default the billed usage. */
export class CompleteText implements CompleteResponse<(usage?: object) => string> {
  readonly streamed = false;
  #usage: object = {};

  constructor(
    readonly text: TextBody,
    private readonly attempt: Attempt,
    private readonly format: ClientFormat,
  ) {}

  get output(): Output {
    return billedOutput(this.text.report);
  }

  readonly content = (usage = this.#usage): string => this.text.body(usage);

  billed(charge: TextCharge): void {
    this.#usage = this.format.usage(billOf(charge, this.attempt));
  }
}

/** A stream that has started. */
export class StreamedText implements ByteStreamResponse {
  readonly streamed = true;
  readonly first: StartedBytes['first'];
  readonly rest: StartedBytes['rest'];
  #usage: object = {};

  /**
   * `settled` is called when the call is settled. Its argument is the end of the stream with a cost of 0, for calls
   * that reuse the response.
   */
  constructor(
    readonly text: TextStream,
    { first, rest }: Pick<StartedBytes, 'first' | 'rest'>,
    private readonly attempt: Attempt,
    private readonly format: ClientFormat,
    private readonly settled: ((free: Uint8Array) => void) | undefined,
  ) {
    this.first = first;
    this.rest = rest;
  }

  get output(): Output {
    return billedOutput(this.text.report);
  }

  readonly isComplete = (): boolean => false;

  readonly closing = (): Uint8Array => {
    const { ending, report } = this.text;
    const tier = report.serviceTier();
    const end = ending.closing(this.#usage, tier);
    this.settled?.(ending.closing(this.format.usage(FREE_BILL), tier));
    return end;
  };

  readonly failing = (error: unknown): Uint8Array => this.text.ending.failing(error);

  billed(charge: TextCharge): void {
    this.#usage = this.format.usage(billOf(charge, this.attempt));
  }
}
