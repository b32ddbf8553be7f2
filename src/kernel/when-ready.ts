/** Makes something of parts that are remembered or have yet to be read: in the same turn where all of them are at hand, so that it costs the event loop nothing. */
export function whenReady<Part, Made>(
  parts: readonly (Part | Promise<Part>)[],
  make: (parts: readonly Part[]) => Made,
): Made | Promise<Made> {
  return areReady(parts) ? make(parts) : Promise.all(parts).then(make);
}

const areReady = <Part>(parts: readonly (Part | Promise<Part>)[]): parts is readonly Part[] =>
  parts.every((part) => !(part instanceof Promise));
