import type { Attempt, Charge, Output, TaskResponse } from '../task.js';
import type { TextBill } from '../../formats/client-format.js';
import type { TextCharge } from '../text/text-charge.js';
import type { TextMeasure } from '../../formats/measure.js';
import type { TextReport } from './text-report.js';

export const billOf = ({ usage, price }: TextCharge, { isByok }: Attempt): TextBill => ({ usage, price, isByok });

/** Approximate number of characters of a token. */
const CHARACTERS_PER_TOKEN = 4;

export const billedOutput = (report: TextReport): Output => ({
  outputTokens:
    report.usage()?.counts.completion ?? Math.ceil(report.progress.text().join('').length / CHARACTERS_PER_TOKEN),
});

/** A response that sets its usage when its charge is known. */
export interface BillableText extends TaskResponse {
  readonly text: { readonly report: TextReport };
  billed(charge: TextCharge): void;
}

/** Passes the charge to the response, which sets its usage, and returns the charge for the pipeline. */
export function settled(
  charge: TextCharge | Promise<TextCharge>,
  response: BillableText,
  { media, sounds }: TextMeasure,
): Charge | Promise<Charge> {
  const { report } = response.text;
  const toCharge = (counted: TextCharge): Charge => {
    response.billed(counted);
    const { usage, price, anomaly, isEstimated } = counted;
    const { prompt, completion, reasoning, cacheRead } = usage;
    return {
      usage: { tokens: { prompt, completion, reasoning, cached: cacheRead } },
      price: price.price,
      promptPrice: price.promptPrice,
      anomaly,
      finishReason: report.progress.finishReason,
      facts: {
        nativeFinishReason: report.progress.nativeFinishReason,
        upstreamId: report.upstreamId(),
        serviceTier: report.serviceTier(),
        mediaInputs: media,
        audioInputs: sounds,
        completionImageTokens: usage.outputImage || undefined,
        cacheDiscount: price.cacheDiscount,
        priceLines: price.lines,
        usageEstimated: isEstimated,
      },
    };
  };
  return charge instanceof Promise ? charge.then(toCharge) : toCharge(charge);
}
