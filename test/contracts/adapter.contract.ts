import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError, type ErrorKind } from '../../src/kernel/errors/errors.js';
import { SecretValue } from '../../src/kernel/secret-value.js';
import type { EndpointCall, EndpointName } from '../../src/providers/ports/endpoint-call.js';
import { eventually } from '../support/eventually.js';
import type { VendorFault } from '../support/vendors/scripted-vendor.js';

/** A credential whose plain text, URL encoding and base64 differ. */
const CREDENTIAL = 'credential/of+the=contract 0123456789';
const FORMS = [CREDENTIAL, encodeURIComponent(CREDENTIAL), Buffer.from(CREDENTIAL).toString('base64')];

export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
  readonly abortedAt?: number;
}

/** The scripted vendor behind an adapter. */
export interface VendorOfAdapter {
  script(fault: VendorFault): void;
  /** The requests received so far. */
  seen(): readonly SeenRequest[];
  /** The header that carries the credential, and the prefix before the credential. */
  readonly credential: readonly [header: string, prefix: string];
}

export interface AdapterUnderTest<Adapter, Call extends EndpointCall> {
  readonly adapter: Adapter;
  /** A valid call: its endpoint, and the members that this adapter needs in addition to the usual ones. */
  readonly call: Pick<EndpointCall, 'provider' | 'package' | 'upstreamModel'> & Partial<Call>;
  /** Undefined if the adapter needs no network. */
  readonly vendor?: VendorOfAdapter;
}

/**
 * The members that calls of every capability have. The object is frozen, because an adapter must not change its call.
 */
export const callMembers = (): Omit<EndpointCall, 'provider' | 'upstreamModel'> => ({
  credential: new SecretValue(CREDENTIAL),
  options: Object.freeze({}),
  signal: new AbortController().signal,
});

interface NamedAdapter {
  readonly name: string;
  unreachableReason?(endpoint: EndpointName): string | undefined;
}

interface Subject extends Pick<AdapterUnderTest<NamedAdapter, EndpointCall>, 'adapter' | 'call' | 'vendor'> {
  /** Calls the adapter and reads its whole response. */
  run(over?: Partial<EndpointCall>): Promise<unknown>;
}

const thrownBy = async (work: Promise<unknown>): Promise<GatewayError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
};
const told = ({ message, headers, metadata }: GatewayError): string => JSON.stringify([message, headers, metadata]);

/** The rules for adapters of every capability. */
export function adapterContract(subject: () => Subject, hasVendor: boolean): void {
  it('has a name, and reports no reason why it could not reach its endpoint', () => {
    const { adapter, call } = subject();
    expect(adapter.name).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(adapter.unreachableReason?.(call)).toBeUndefined();
  });

  it('throws the reason of a signal that is already aborted, and sends nothing', async () => {
    const { run, vendor } = subject();
    const before = vendor?.seen().length;
    const reason = new GatewayError('deadline_exceeded', 'Too late');
    await expect(run({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(vendor?.seen().length).toBe(before);
  });

  it('throws the reason of a signal that aborts during a call, stops the call, and serves the next call', async () => {
    const { run, vendor } = subject();
    const before = vendor?.seen().length ?? 0;
    const [caller, reason] = [new AbortController(), new GatewayError('caller_gone', 'The caller disconnected')];
    vendor?.script({ kind: 'silence' });
    const outcome = run({ signal: caller.signal }).then(
      () => 'whole',
      (error: unknown) => error,
    );
    while (vendor && vendor.seen().length === before) await sleep(5);
    setImmediate(() => caller.abort(reason));
    expect(await outcome).toBe(reason);
    if (vendor) await eventually(async () => expect(vendor.seen()[before]!.abortedAt).toEqual(expect.any(Number)));
    await run();
  });

  if (hasVendor) vendorContract(subject as () => Required<Subject>);
}

const STATUSES: readonly (readonly [status: number, kind: ErrorKind, message: RegExp])[] = [
  [400, 'invalid_request', /no such thing/],
  [422, 'invalid_request', /no such thing/],
  ...[401, 402, 403, 404].map((status) => [status, 'provider_failed', /operator/] as const),
  [413, 'payload_too_large', /too large/],
  [429, 'rate_limited', /rate/],
  ...[302, 409, 500, 501, 502, 599].map((status) => [status, 'provider_failed', /failed to answer/] as const),
  ...[503, 529].map((status) => [status, 'provider_overloaded', /overloaded/] as const),
  ...[504, 524].map((status) => [status, 'provider_timeout', /too long/] as const),
];

function vendorContract(subject: () => Required<Subject>): void {
  it('throws, without a request, the reported reason why it cannot reach an unknown endpoint', async () => {
    const { adapter, vendor, run } = subject();
    const before = vendor.seen().length;
    const nobody = { provider: 'nobody', package: '@nobody/nothing' };
    const reason = adapter.unreachableReason!(nobody);
    expect(reason).toMatch(/^[^\n]*nobody[^\n]*$/);
    expect(await thrownBy(run(nobody))).toMatchObject({ kind: 'not_found', message: reason });
    expect(vendor.seen()).toHaveLength(before);
  });

  it('sends the credential of each call in its header only, even if two calls run at once', async () => {
    const { vendor, run } = subject();
    const before = vendor.seen().length;
    const secrets = ['first-secret-of-two', 'second-secret-of-two'];
    await Promise.all(secrets.map((secret) => run({ credential: new SecretValue(secret) })));
    const [header, prefix] = vendor.credential;
    const seen = vendor.seen().slice(before);
    const carried = seen.flatMap(({ headers }) => headers[header] ?? []);
    expect(new Set(carried)).toEqual(new Set(secrets.map((secret) => prefix + secret)));
    for (const { path, headers, json } of seen)
      expect(JSON.stringify([path, { ...headers, [header]: '' }, json])).not.toContain('secret-of-two');
  });

  it.each(STATUSES)(
    'throws for the status %i an error of kind %s that contains no credential',
    async (status, kind, message) => {
      const { vendor, run } = subject();
      const words = `no such thing: ${FORMS.join(' ')} Bearer ${CREDENTIAL} sk-abc***xyz`;
      const body = { error: { message: words }, message: words, detail: words };
      vendor.script({ kind: 'status', status, body, headers: { 'retry-after': '7' } });
      const error = await thrownBy(run());
      expect(error).toMatchObject({ kind, vendorStatus: status, outage: status >= 500 });
      expect(error.message).toMatch(message);
      for (const form of [...FORMS, 'sk-abc']) expect(told(error)).not.toContain(form);
      const mayRepeat = kind === 'rate_limited' || kind === 'provider_overloaded';
      expect(error.headers).toEqual(mayRepeat ? { 'retry-after': '7' } : undefined);
    },
  );

  it.each<[string, VendorFault, boolean]>([
    ['a reset before the head', { kind: 'reset' }, true],
    ['a truncated body', { kind: 'cut', share: 0.5 }, true],
    ['a body that never ends', { kind: 'endless' }, false],
  ])('throws provider_failed for %s', async (_, fault, outage) => {
    const { vendor, run } = subject();
    vendor.script(fault);
    expect(await thrownBy(run())).toMatchObject({ kind: 'provider_failed', outage });
    await run();
  });

  it("reports an outage if the vendor sends nothing for longer than the call's time limit", async () => {
    const { vendor, run } = subject();
    const faults: VendorFault[] = [{ kind: 'silence' }, { kind: 'head-only' }, { kind: 'stall', share: 0.5 }];
    for (const fault of faults) vendor.script(fault);
    // The adapter's own timeout is longer than the time limit of a test.
    const errors = await Promise.all(faults.map(() => thrownBy(run({ timeoutMs: 50 }))));
    expect(errors).toMatchObject(faults.map(() => ({ kind: 'provider_timeout', outage: true })));
  });
}
