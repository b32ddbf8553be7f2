import { goodEvents, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';

export interface HeldStream {
  /** The status of the response, which has started. The vendor waits for `finish`. */
  readonly status: number;
  /** Makes the vendor continue. Resolves with the rest of the response. */
  finish(): Promise<string>;
  /** Disconnects the caller. */
  leave(): void;
}

/** Starts a streamed chat whose vendor pauses after two events. */
export async function holdStream(
  origin: string,
  key: string,
  vendor: ScriptedChatVendor,
  { model = 'rules/openai', ...body }: { readonly model?: string; readonly user?: string } = {},
): Promise<HeldStream> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  vendor.script({ events: goodEvents(), holdAfter: 2, released });
  const caller = new AbortController();
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    signal: caller.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], stream: true, ...body }),
  });
  return {
    status: response.status,
    finish: () => {
      release();
      return response.text();
    },
    leave: () => {
      caller.abort();
      release();
    },
  };
}
