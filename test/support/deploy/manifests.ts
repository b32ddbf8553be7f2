import { execFileSync, spawnSync } from 'node:child_process';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

/** A document rendered by kubectl. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Record<string, string>;
  };
}

/** By kind: the API version that the manifests use, and its JSON schema as a class. */
const KINDS: Readonly<Record<string, readonly [string, new (data: never) => { validate(): void }]>> = {
  ConfigMap: ['v1', ConfigMap],
  Deployment: ['apps/v1', Deployment],
  HorizontalPodAutoscaler: ['autoscaling/v2', HorizontalPodAutoscaler],
  Ingress: ['networking.k8s.io/v1', Ingress],
  Job: ['batch/v1', Job],
  NetworkPolicy: ['networking.k8s.io/v1', NetworkPolicy],
  PodDisruptionBudget: ['policy/v1', PodDisruptionBudget],
  PrometheusRule: ['monitoring.coreos.com/v1', PrometheusRule],
  Service: ['v1', Service],
  ServiceAccount: ['v1', ServiceAccount],
  ServiceMonitor: ['monitoring.coreos.com/v1', ServiceMonitor],
};

/** 20 for kubectl 1.20. If kubectl is not installed, logs that tests are skipped and returns undefined. */
export function kubectlMinor(): number | undefined {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  if (status === 0) return Number(/"minor": "(\d+)/.exec(stdout)![1]);
  process.stderr.write('kubectl is not installed: the tests that need it are skipped\n');
  return undefined;
}

/** The documents of a folder below deploy/kubernetes, as sent by `kubectl apply -k`. */
export function render(folder: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', `deploy/kubernetes/${folder}`], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** The faults found by the JSON schemas of Kubernetes and of the Prometheus Operator. */
export function schemaFaults(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    const [version, Schema] = KINDS[manifest.kind] ?? [];
    if (!Schema || version !== manifest.apiVersion) return [`${nameOf(manifest)} has an unknown kind or version`];
    try {
      new Schema(manifest as never).validate();
      return [];
    } catch (error) {
      return [`${nameOf(manifest)}: ${(error as Error).message}`];
    }
  });
}

const VIRTUAL_FILE = 'test/support/deploy/manifests-as-literals.ts';

/** Members that no schema has. The schemas allow them, but the cluster would ignore a misspelt member. */
export function unknownMembers(manifests: readonly Manifest[]): string[] {
  const source = manifests.map((manifest, at) => {
    const { apiVersion, kind } = manifest;
    const module = apiVersion.startsWith('monitoring')
      ? `@kubernetes-models/prometheus-operator/${apiVersion}`
      : `kubernetes-models/${apiVersion}`;
    return `export const m${at}: import('${module}').I${kind} = ${JSON.stringify(manifest)};`;
  });
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, languageVersion, ...rest) =>
    name === VIRTUAL_FILE
      ? ts.createSourceFile(name, source.join('\n'), languageVersion)
      : getSourceFile.call(host, name, languageVersion, ...rest);
  const program = ts.createProgram([VIRTUAL_FILE], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(VIRTUAL_FILE))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
