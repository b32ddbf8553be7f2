import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import type { Quantity } from '../kernel/price.js';
import type { ReportedUsage } from '../providers/spec/endpoint-call.js';
import type { FittedRequest } from './image-request.js';
import { mostTokensOf } from './token-pricing.js';

/** The most that a fitted request can be priced by. `streamed`: previews may come, which vendors count among the output. */
export function mostImageQuantities(
  fitted: FittedRequest,
  { maxTokens }: CatalogueEndpoint,
  streamed: boolean,
): Quantity[] {
  const perImage = Math.max(0, ...mostPerImage(fitted, maxTokens?.perImage ?? {}));
  const previews = streamed ? (maxTokens?.previews ?? 0) : 0;
  return [
    ...byThePiece(fitted, fitted.n),
    { billable: 'input_text', unit: 'token', amount: mostTokensOf(fitted.prompt) },
    { billable: 'input_image', unit: 'token', amount: fitted.references.length * (maxTokens?.perReference ?? 0) },
    { billable: 'output_image', unit: 'token', amount: fitted.n * perImage + previews },
  ];
}

/** What a number of images of a fitted request is priced by, and the tokens that the vendor counted. */
export function imageQuantities(fitted: FittedRequest, images: number, usage: ReportedUsage | undefined): Quantity[] {
  const prompt = usage?.promptTokens ?? 0;
  // A vendor that does not tell pictures from text in a prompt is taken to have been sent the dearer of them.
  const pictures = Math.min(prompt, usage?.promptImageTokens ?? (fitted.references.length > 0 ? prompt : 0));
  return [
    ...byThePiece(fitted, images),
    { billable: 'input_text', unit: 'token', amount: prompt - pictures },
    { billable: 'input_image', unit: 'token', amount: pictures },
    { billable: 'output_image', unit: 'token', amount: usage?.completionTokens ?? 0 },
  ];
}

function byThePiece(fitted: FittedRequest, images: number): Quantity[] {
  const pixels = (fitted.width ?? 1024) * (fitted.height ?? 1024);
  const variants = variantsOf(fitted);
  return [
    { billable: 'output_image', unit: 'image', amount: images, variants },
    { billable: 'output_image', unit: 'megapixel', amount: images * pixels, perMillion: true, variants },
    { billable: 'input_reference', unit: 'image', amount: fitted.references.length },
    { billable: 'input_image', unit: 'image', amount: fitted.references.length },
  ];
}

/** What a price of the catalogue may be narrowed by: the quality, the tier (1K where nothing is said of the size), the pixels. */
function variantsOf({ quality, resolution, width, height }: FittedRequest): string[] {
  const pixels = width !== undefined && height !== undefined ? `${width}x${height}` : undefined;
  return [quality, resolution ?? (pixels === undefined ? '1K' : undefined), pixels].filter(
    (word) => word !== undefined,
  );
}

/** The tokens of one image by quality and size: of those asked for, and of all that the vendor may choose where it chooses. */
function mostPerImage(
  fitted: FittedRequest,
  table: Readonly<Record<string, Readonly<Record<string, number>>>>,
): number[] {
  const qualities =
    fitted.quality !== undefined && table[fitted.quality] ? [table[fitted.quality]!] : Object.values(table);
  const size =
    fitted.width !== undefined && fitted.height !== undefined ? `${fitted.width}x${fitted.height}` : undefined;
  return qualities.flatMap((sizes) =>
    size !== undefined && sizes[size] !== undefined ? [sizes[size]] : Object.values(sizes),
  );
}
