import type { ListedPrice } from '../../../src/catalogue/price.js';
import { derivePixels } from '../../../src/providers/ports/image-pixels.js';
import { PIXEL } from '../vendors/scripted-vendor.js';
import { anImageEndpoint } from '../catalogue/test-catalogue.js';

export const KNOBS = anImageEndpoint('openai').supportedParameters;
export const {
  seed: _seed,
  quality: _quality,
  output_compression: _compression,
  background: _background,
  ...FEW_KNOBS
} = KNOBS;
export const BARE = { input_references: KNOBS['input_references']! };
export const RATIOS = { type: 'enum', values: ['1:1', '3:2', '16:9'] } as const;
export const WIDE = derivePixels('1K', '16:9');
export const reference = (url = `data:image/png;base64,${PIXEL}`): object => ({
  type: 'image_url',
  image_url: { url },
});

export const dataUrl = (type: string, base64: string): string => `data:${type};base64,${base64}`;
export const accepted = (field: string, values: readonly unknown[], others: object = {}): Row[] =>
  values.map((value) => ({
    says: `${field} | ${JSON.stringify(value)} is one of the enumeration`,
    fields: { ...others, [field]: value },
  }));

/**
 * `refused`: the request must fail with a 400 whose message contains this, without a request to the vendor. `asked`:
 * expected members of the vendor's request; undefined = absent.
 */
export interface Row {
  readonly says: string;
  readonly model?: string;
  readonly fields: object;
  readonly refused?: string;
  readonly asked?: Readonly<Record<string, unknown>>;
}

/** The specification says "or null" if null is allowed, which is never the case in these two tables. */
export const notOf = (field: string, values: readonly unknown[]): Row[] =>
  [null, ...values].map((value) => ({
    says: `${field} | of its type, not ${JSON.stringify(value)}`,
    fields: { [field]: value },
    refused: field,
  }));

export const priced = (variant: string, costUsd: string): ListedPrice => ({
  billable: 'output_image',
  unit: 'image',
  costUsd,
  variant,
});
