/** The events of a stream of `/messages`. Each must have its name on a separate line. Comments are omitted. */
// oxlint-disable-next-line typescript/no-explicit-any
export function messageEvents(stream: string): any[] {
  return stream
    .split('\n\n')
    .filter((event) => event !== '' && !event.startsWith(':'))
    .map((event) => {
      const [, name, json] = /^event: ([a-z_]+)\ndata: (.*)$/.exec(event) ?? [];
      if (name === undefined) throw new Error(`an event without its name: ${event.slice(0, 200)}`);
      const parsed = JSON.parse(json!);
      if (parsed.type !== name) throw new Error(`the event ${name} contains ${parsed.type}`);
      return parsed;
    });
}

/** The generated text of a stream. */
export const streamedMessageText = (stream: string): string =>
  messageEvents(stream)
    .map(({ delta }) => delta?.text ?? '')
    .join('');
