import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SecretValue } from '../../src/kernel/secret-value.js';
import {
  SupersededRuntime,
  type Runtime,
  type RuntimeBoot,
  type RuntimeDriver,
  type RuntimePlace,
} from '../../src/runtimes/runtime.driver.js';

export interface DriverUnderTest {
  readonly driver: RuntimeDriver;
  /** The content of `.intern/<name>` on the intern's disk. Undefined if the driver has no disk. */
  readDisk(place: RuntimePlace, name: string): Promise<string | undefined>;
}

export const aPlace = (): RuntimePlace => ({ internId: randomUUID(), no: randomInt(1, 900_000) });

export const aBoot = (
  place: RuntimePlace,
  fence: number,
  livesMs = 60_000,
  end = Date.now() + livesMs,
): RuntimeBoot => ({
  place,
  fence,
  until: () => end,
  name: 'night-watch',
  description: null,
  instructions: 'Watch the night.',
  model: null,
  secrets: [{ name: 'api_token', hosts: ['api.example.com'], placeholder: '__vault__api_token__' }],
  key: new SecretValue('sk-of-this-boot'),
  egress: null,
});

/** The rules for every driver of runtimes. The fake must pass them too. */
export function runtimeDriverContract(subject: () => DriverUnderTest): void {
  const running: Runtime[] = [];
  const places: RuntimePlace[] = [];
  const start = async (boot: RuntimeBoot): Promise<Runtime> => {
    await subject().driver.prepare(boot.place);
    const runtime = await subject().driver.start(boot);
    running.push(runtime);
    return runtime;
  };
  const newPlace = (): RuntimePlace => {
    const place = aPlace();
    places.push(place);
    return place;
  };
  const hasEnded = (runtime: Runtime): Promise<boolean> =>
    Promise.race([runtime.ended.then(() => true), sleep(50).then(() => false)]);
  afterEach(async () => {
    await Promise.all(running.splice(0).map((runtime) => runtime.stop()));
    await Promise.all(places.splice(0).map((place) => subject().driver.remove(place)));
  });

  it('starts a runtime that responds to health checks, and stops it', async () => {
    const runtime = await start(aBoot(newPlace(), 1));
    expect(await runtime.isHealthy()).toBe(true);
    await runtime.stop();
    expect(await hasEnded(runtime)).toBe(true);
    await runtime.stop();
  }, 60_000);

  it('keeps the disk between boots, and removes it on request', async () => {
    const place = newPlace();
    for (const fence of [1, 2]) await (await start(aBoot(place, fence))).stop();
    expect(JSON.parse((await subject().readDisk(place, 'state.json'))!)).toMatchObject({
      boots: 2,
      internId: place.internId,
      secrets: ['api_token'],
    });
    expect(await subject().readDisk(place, 'instructions.md')).toBe('Watch the night.');
    await subject().driver.remove(place);
    await subject().driver.remove(place);
    expect(await subject().readDisk(place, 'state.json')).toBeUndefined();
  }, 60_000);

  it('ends a runtime that was started with a lower fence, and refuses a start with a lower fence', async () => {
    const place = newPlace();
    const first = await start(aBoot(place, 1));
    const second = await start(aBoot(place, 2));
    expect(await hasEnded(first)).toBe(true);
    await expect(start(aBoot(place, 1))).rejects.toThrow(SupersededRuntime);
    expect(await second.isHealthy()).toBe(true);
  }, 60_000);

  it('stops the runtime of a place, unless the given fence is lower; a repeated stop succeeds', async () => {
    const place = newPlace();
    const runtime = await start(aBoot(place, 5));
    await expect(subject().driver.stop(place, 4)).rejects.toThrow(SupersededRuntime);
    expect(await runtime.isHealthy()).toBe(true);
    await subject().driver.stop(place, 6);
    expect(await hasEnded(runtime)).toBe(true);
    await subject().driver.stop(place, 6);
  }, 60_000);

  it('ends a runtime at its deadline, unless the deadline was extended', async () => {
    const [brief, extended] = [await start(aBoot(newPlace(), 1, 8_000)), await start(aBoot(newPlace(), 1, 8_000))];
    extended.extend(Date.now() + 60_000);
    expect(await brief.ended).toEqual(expect.any(String));
    expect(await extended.isHealthy()).toBe(true);
  }, 60_000);

  it('does not start a runtime after its deadline, and throws an error that says how the runtime ended', async () => {
    const reason = /^it was ended by SIGKILL$|^its container ended with exit code \d+$/;
    await expect(start(aBoot(newPlace(), 1, -1))).rejects.toThrow(reason);
  }, 60_000);
}
