import { PerRoute } from './per-route.js';

class Parent {}
class Child {}
const handler = (): void => undefined;
const other = (): void => undefined;
const route = (
  controller: typeof Parent,
  of = handler,
): { getHandler: () => typeof handler; getClass: () => typeof Parent } => ({
  getHandler: () => of,
  getClass: () => controller,
});

describe('a value that is derived from a route', () => {
  it('is computed once per handler and controller, also for inherited handlers', () => {
    const read: string[] = [];
    const perRoute = new PerRoute(
      ([of, controller]) => (
        read.push(controller.name),
        `${of === handler ? 'handler' : 'other'} of ${controller.name}`
      ),
    );

    expect(
      [route(Parent), route(Parent), route(Child), route(Parent, other), route(Child)].map((each) => perRoute.of(each)),
    ).toEqual(['handler of Parent', 'handler of Parent', 'handler of Child', 'other of Parent', 'handler of Child']);
    expect(read).toEqual(['Parent', 'Child', 'Parent']);
  });

  it('is cached even if it is undefined', () => {
    let reads = 0;
    const perRoute = new PerRoute(() => void reads++);
    perRoute.of(route(Parent));
    perRoute.of(route(Parent));

    expect(reads).toBe(1);
  });
});
