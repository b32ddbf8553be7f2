import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import type { Quantity } from '../kernel/price.js';
import type { ReportedUsage } from '../providers/spec/endpoint-call.js';
import { mostTokensOf } from './token-pricing.js';

/** The most that speaking can be priced by: `text` is all that the vendor gets to read, `characters` those it speaks. */
export function mostSpeechQuantities(text: string, characters: number, { maxTokens }: CatalogueEndpoint): Quantity[] {
  const byLength = (maxTokens?.outputBase ?? 0) + characters * (maxTokens?.outputPerCharacter ?? 0);
  const output = byLength > 0 ? Math.min(byLength, maxTokens?.output ?? byLength) : (maxTokens?.output ?? 0);
  return [
    { billable: 'input_text', unit: 'character', amount: characters },
    { billable: 'input_text', unit: 'token', amount: mostTokensOf(text) },
    { billable: 'output_audio', unit: 'token', amount: output },
  ];
}

/** What it is priced by once the vendor has said what was used. */
export function speechQuantities(characters: number, usage: ReportedUsage): Quantity[] {
  return [
    { billable: 'input_text', unit: 'character', amount: characters },
    { billable: 'input_text', unit: 'token', amount: usage.promptTokens ?? 0 },
    { billable: 'output_audio', unit: 'token', amount: usage.completionTokens ?? 0 },
  ];
}
