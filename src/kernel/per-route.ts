// Nest types handlers and controllers as Function.
// oxlint-disable-next-line typescript/no-unsafe-function-type
type Place = Function;

interface Route {
  getHandler(): Place;
  getClass(): Place;
}

/** A value derived from a route's metadata, computed once per handler and controller. */
export class PerRoute<T> {
  readonly #known = new WeakMap<Place, { readonly controller: Place; readonly value: T }>();

  constructor(private readonly read: (places: [handler: Place, controller: Place]) => T) {}

  of(route: Route): T {
    const handler = route.getHandler();
    const controller = route.getClass();
    const known = this.#known.get(handler);
    // Controllers can share an inherited handler.
    if (known?.controller === controller) return known.value;
    const value = this.read([handler, controller]);
    this.#known.set(handler, { controller, value });
    return value;
  }
}
