import type { TextFormat } from '../../../src/formats/vendor-text.js';

export const FORMATS = ['chat', 'responses', 'messages'] as const satisfies readonly TextFormat[];

type Json = Readonly<Record<string, unknown>>;

/** What becomes of a member on its way to a vendor: its members there, or the message that names it. */
export type Fate = { readonly carried: Json } | { readonly refused: RegExp } | { readonly leftOut: RegExp };

/**
 * A setting that the vendor's format lacks: the request is served without it, as by an endpoint that lacks a parameter,
 * unless `provider.require_parameters` refuses such endpoints by the name of the parameter.
 */
export const leftOut = (name: RegExp): Fate => ({ leftOut: name });
export const carried = (members: Json): Fate => ({ carried: members });
export const refused = (name: RegExp): Fate => ({ refused: name });

export type Client = TextFormat;
export type Vendor = TextFormat;

/** One meaning of a request, by the formats of clients and vendors. */
export interface RequestMember {
  readonly name: string;
  /** The members that say it, in each format of clients that can. */
  readonly says: Partial<Record<Client, Json>>;
  /** What a vendor of another format than the client's gets. To one of the same format the members go as they are. */
  readonly becomes: Record<Vendor, Fate>;
  /** Pairs that differ from `becomes`, `client>vendor`; same formats too. */
  readonly but?: Partial<Record<`${Client}>${Vendor}`, Fate>>;
}

export function fateOf({ says, becomes, but }: RequestMember, client: Client, vendor: Vendor): Fate | undefined {
  const members = says[client];
  if (!members) return undefined;
  return but?.[`${client}>${vendor}`] ?? (client === vendor ? carried(members) : becomes[vendor]);
}

export const chatMessages = (...messages: readonly Json[]): Json => ({ messages });
export const items = (...input: readonly Json[]): Json => ({ input });
export const user = (...content: readonly Json[]): Json => ({ role: 'user', content });
export const HELLO = { role: 'user', content: 'Hello' };
/** The same as vendors get it by conversion. */
export const CONVERTED_HELLO = {
  chat: HELLO,
  responses: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
  messages: { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
} as const;
