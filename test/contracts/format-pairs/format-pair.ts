import type { TextFormat, VendorFormat } from '../../../src/formats/vendor-text.js';

export const VENDOR_FORMATS = ['chat', 'responses', 'messages'] as const satisfies readonly VendorFormat[];

type Json = Readonly<Record<string, unknown>>;

/**
 * The result for a member of a request: the members that the vendor receives, or the error message that names the
 * member.
 */
export type ConversionResult = { readonly carried: Json } | { readonly refused: RegExp } | { readonly leftOut: RegExp };

/**
 * A setting that the vendor's format does not have. The gateway serves the request without it, as it does for an
 * endpoint that does not support a parameter. With `provider.require_parameters` it excludes such endpoints, and the
 * error names the parameter.
 */
export const leftOut = (name: RegExp): ConversionResult => ({ leftOut: name });
export const carried = (members: Json): ConversionResult => ({ carried: members });
export const refused = (name: RegExp): ConversionResult => ({ refused: name });

export type Client = TextFormat;
export type Vendor = VendorFormat;

/** Something that a request can express, with its form in each format of clients and of vendors. */
export interface RequestMember {
  readonly name: string;
  /** The members with this meaning, in each client format that has them. */
  readonly says: Partial<Record<Client, Json>>;
  /**
   * What a vendor of another format than the client's receives. A vendor of the same format receives the members
   * unchanged.
   */
  readonly becomes: Record<Vendor, ConversionResult>;
  /** Exceptions to `becomes`, by `client>vendor`. Includes pairs of the same format. */
  readonly but?: Partial<Record<`${Client}>${Vendor}`, ConversionResult>>;
}

export function expectedResult(
  { says, becomes, but }: RequestMember,
  client: Client,
  vendor: Vendor,
): ConversionResult | undefined {
  const members = says[client];
  if (!members) return undefined;
  return but?.[`${client}>${vendor}`] ?? (client === vendor ? carried(members) : becomes[vendor]);
}

export const chatMessages = (...messages: readonly Json[]): Json => ({ messages });
export const items = (...input: readonly Json[]): Json => ({ input });
export const user = (...content: readonly Json[]): Json => ({ role: 'user', content });
export const HELLO = { role: 'user', content: 'Hello' };
/** The same message after conversion, by the format of the vendor. */
export const CONVERTED_HELLO = {
  chat: HELLO,
  responses: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
  messages: { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
} as const;
