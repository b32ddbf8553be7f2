/** Like Promise.all, but synchronous if no part is a promise, so that cached values need no microtask. */
export function whenReady<Part, Made>(
  parts: readonly (Part | Promise<Part>)[],
  make: (parts: readonly Part[]) => Made,
): Made | Promise<Made> {
  return areReady(parts) ? make(parts) : Promise.all(parts).then(make);
}

const areReady = <Part>(parts: readonly (Part | Promise<Part>)[]): parts is readonly Part[] =>
  parts.every((part) => !(part instanceof Promise));
