import { readFileSync } from 'node:fs';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IConfigMap, IService } from 'kubernetes-models/v1';
import { parse } from 'yaml';
import { Config } from '../../src/config/config.js';
import { VARIABLES } from '../../src/config/variables.js';
import { kubectlMinor, render, schemaFaults, unknownMembers, type Manifest } from '../support/deploy/manifests.js';

/** The types of the kinds that the tests read. */
interface Kinds {
  ConfigMap: IConfigMap;
  Deployment: IDeployment;
  HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  Ingress: IIngress;
  Job: IJob;
  NetworkPolicy: INetworkPolicy;
  PrometheusRule: { spec: unknown };
  Service: IService;
}

const minor = kubectlMinor();
const whenKubectl = minor === undefined ? describe.skip : describe;
/** The Kustomize of kubectl 1.20 does not support folders and patches in these members of an overlay. */
const whenOverlays = (minor ?? 0) > 20 ? it : it.skip;
const MIB = 1_048_576;
const dockerfile = readFileSync('docker/Dockerfile', 'utf8');
const nginxSample = readFileSync('docs/operations/running.md', 'utf8');
const rules = (path: string): unknown => parse(readFileSync(path, 'utf8'));

const bytes = (quantity: unknown): number => {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(String(quantity))!;
  return Number(number) * MIB * (unit === 'Gi' ? 1_024 : 1);
};

whenKubectl('the manifests of Kubernetes', () => {
  const base = minor === undefined ? [] : render('base');
  const migration = minor === undefined ? [] : render('migration');
  const monitoring = minor === undefined ? [] : render('monitoring');
  const all = [...base, ...migration, ...monitoring];
  const find = <Kind extends keyof Kinds>(kind: Kind, among: readonly Manifest[] = base): Kinds[Kind] & Manifest =>
    among.find((manifest) => manifest.kind === kind) as Kinds[Kind] & Manifest;
  const pod = (): NonNullable<NonNullable<IDeployment['spec']>['template']['spec']> =>
    find('Deployment').spec!.template.spec!;
  const container = (): ReturnType<typeof pod>['containers'][number] => pod().containers[0]!;
  const configuration = (): Record<string, string> => find('ConfigMap').data!;
  /** The configuration of the service in the pod. */
  const values = (): Config['values'] => {
    const image = Object.fromEntries(
      [...dockerfile.matchAll(/^(?:ENV)? +([A-Z_]+)=(\S+)(?: \\)?$/gm)].map(([, name, value]) => [name!, value!]),
    );
    return Config.read({ ...image, ...configuration() }).values;
  };

  it('satisfy the schemas of Kubernetes and of the Prometheus Operator', () => {
    expect(all.map(({ kind }) => kind)).toHaveLength(12);
    expect(schemaFaults(all)).toEqual([]);
  });

  it('have no member that is missing in the schemas', () => {
    expect(unknownMembers(all)).toEqual([]);
  }, 60_000);

  it('would be refused if a value had another type, or if a member were missing or misspelt', () => {
    const deployment = (): IDeployment => structuredClone(find('Deployment'));
    const faults = (change: (spec: Record<string, unknown>) => void): string[] => {
      const changed = deployment();
      change(changed.spec as unknown as Record<string, unknown>);
      return schemaFaults([changed as Manifest]);
    };
    expect(faults((spec) => (spec['replicas'] = 'two'))).toEqual([expect.stringContaining('replicas')]);
    expect(faults((spec) => delete spec['selector'])).toEqual([expect.stringContaining('selector')]);
    const misspelt = deployment();
    Object.assign(misspelt.spec!.template.spec!.containers[0]!, { readynessProbe: {} });
    expect(unknownMembers([misspelt as Manifest])).toEqual([expect.stringContaining('readynessProbe')]);
  }, 60_000);

  whenOverlays('get another namespace and another image from the example overlay', () => {
    const [service, job] = [render('example'), render('example/migration')];
    expect(schemaFaults([...service, ...job])).toEqual([]);
    expect(new Set([...service, ...job].map(({ metadata }) => metadata.namespace))).toEqual(new Set(['gatehouse']));
    const image = 'registry.example.com/gatehouse:1.0.0';
    expect(find('Deployment', service).spec!.template.spec!.containers[0]!.image).toBe(image);
    expect(find('Job', job).spec!.template.spec!.containers[0]!.image).toBe(image);
    expect(find('ConfigMap', service).data).toMatchObject({
      MIGRATE: 'off',
      PUBLIC_BASE_URL: `https://${find('Ingress', service).spec!.rules![0]!.host}`,
    });
  });

  it('set only variables of the configuration, to valid values, and contain references instead of secrets', () => {
    const isSecret = (name: string): boolean => 'secret' in VARIABLES[name as keyof typeof VARIABLES];
    const plain = Object.keys(configuration());
    const references = [pod(), find('Job', migration).spec!.template.spec!].flatMap(({ containers }) =>
      containers.flatMap(({ env }) => env ?? []),
    );
    expect(plain.filter((name) => !(name in VARIABLES) || isSecret(name))).toEqual([]);
    expect(references.filter(({ name }) => !isSecret(name) && name !== 'S3_ACCESS_KEY_ID')).toEqual([]);
    expect(references.filter(({ name, valueFrom }) => valueFrom?.secretKeyRef?.key !== name)).toEqual([]);
    expect(values()).toMatchObject({ MIGRATE: 'off', INTERN_RUNTIME: 'none', DATA_DIR: '/data', PORT: 3000 });
  });

  it('have the same ports in the container, the Service and the network policy', () => {
    const ports = [values().PORT, values().METRICS_PORT!];
    expect(container().ports!.map(({ containerPort }) => containerPort)).toEqual(ports);
    expect(find('Service').spec!.ports!.map(({ targetPort }) => targetPort)).toEqual(['http', 'metrics']);
    const { ingress } = find('NetworkPolicy').spec!;
    expect(ingress!.map(({ ports: open }) => open!.map(({ port }) => port))).toEqual(ports.map((port) => [port]));
    expect(values()).toMatchObject({ HOST: '0.0.0.0', METRICS_HOST: '0.0.0.0' });
  });

  it('give the service more time to stop than it can need, and delay the stop until balancers have noticed it', () => {
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS, UPSTREAM_TIMEOUT_MS } = values();
    expect(pod().terminationGracePeriodSeconds! * 1_000).toBeGreaterThanOrEqual(
      SHUTDOWN_DELAY_MS + SHUTDOWN_TIMEOUT_MS + 10_000,
    );
    const { periodSeconds, failureThreshold } = container().readinessProbe!;
    expect(SHUTDOWN_DELAY_MS).toBeGreaterThan(periodSeconds! * failureThreshold! * 1_000);
    expect(SHUTDOWN_TIMEOUT_MS).toBeGreaterThanOrEqual(UPSTREAM_TIMEOUT_MS);
  });

  it('run as the user of the image, without capabilities, with a read-only root and two writable folders', () => {
    expect(pod().securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1_000, fsGroup: 1_000 });
    expect(dockerfile).toContain('useradd --uid 1000');
    for (const { containers } of [pod(), find('Job', migration).spec!.template.spec!])
      expect(containers[0]!.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    expect(container().volumeMounts!.map(({ mountPath }) => mountPath)).toEqual([values().DATA_DIR, '/tmp']);
    // The data folder is deleted with the pod, so files that must persist are in a bucket.
    expect(values().S3_BUCKET).toBeDefined();
  });

  it('give the service more memory than its settings allow the service to use', () => {
    const { ANALYTICS_MEMORY_MB, RESPONSE_CACHE_BYTES } = values();
    const tmp = pod().volumes!.find(({ name }) => name === 'tmp')!.emptyDir!;
    expect(bytes(container().resources!.limits!['memory'])).toBeGreaterThan(
      ANALYTICS_MEMORY_MB * MIB + RESPONSE_CACHE_BYTES + bytes(tmp.sizeLimit) + 1_024 * MIB,
    );
  });

  it('have an Ingress with the limits of the sample for nginx and with the host of PUBLIC_BASE_URL', () => {
    const ingress = find('Ingress');
    const annotation = (name: string): string => ingress.metadata.annotations![`nginx.ingress.kubernetes.io/${name}`]!;
    const sample = (name: string): string => new RegExp(`^ +${name} (\\w+);`, 'm').exec(nginxSample)![1]!;
    expect(annotation('proxy-body-size')).toBe(sample('client_max_body_size'));
    for (const name of ['proxy-buffering', 'proxy-request-buffering'])
      expect(annotation(name)).toBe(sample(name.replaceAll('-', '_')));
    for (const name of ['proxy-read-timeout', 'proxy-send-timeout'])
      expect(`${annotation(name)}s`).toBe(sample(name.replaceAll('-', '_')));
    expect(values().PUBLIC_BASE_URL).toBe(`https://${ingress.spec!.rules![0]!.host}`);
  });

  it('scale by a metric of the service, and monitor with the rules of docker/observability', () => {
    const { metrics, scaleTargetRef } = find('HorizontalPodAutoscaler').spec;
    expect(scaleTargetRef.name).toBe(find('Deployment').metadata.name);
    expect(readFileSync('src/billing/billing-metrics.ts', 'utf8')).toContain(`'${metrics![0]!.pods!.metric.name}'`);
    expect(find('PrometheusRule', monitoring).spec).toEqual(rules('docker/observability/rules.yaml'));
  });

  it('migrate the database with the command of the image', () => {
    const [job] = find('Job', migration).spec!.template.spec!.containers;
    expect(job!.command).toEqual(['node', '--disable-sigusr1', 'dist/operator/main.js', 'migrate']);
  });
});
