import { readFileSync } from 'node:fs';

const FOLDER = 'docker/observability';
export const RULES_FILE = `${FOLDER}/rules.yaml`;
const RULES = readFileSync(RULES_FILE, 'utf8');

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const dashboard = JSON.parse(readFileSync(`${FOLDER}/grafana/dashboard.json`, 'utf8')) as { panels: readonly Panel[] };

/** The expressions of the dashboard, by panel. */
export const dashboardExpressions = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ place: title, expr })),
);

/** The names of the alerts. */
export const alertNames = [...RULES.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!);

/** The expressions of the alerts: either on one line, or as a block of lines with deeper indentation. */
export const alertExpressions = [...RULES.matchAll(/^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
  ([, block, line], at) => ({ place: alertNames[at]!, expr: (block ?? line)! }),
);

/** The names of metrics and of labels in an expression of PromQL. */
export function namesIn(expr: string): { readonly metrics: string[]; readonly labels: string[] } {
  const labels: string[] = [];
  const rest = expr
    .replace(/\{([^}]*)\}/g, (_, matchers: string) => {
      labels.push(...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name]) => name!));
      return '';
    })
    .replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, list: string) => {
      labels.push(...list.split(',').map((name) => name.trim()));
      return '';
    })
    .replace(/\[[^\]]*\]/g, '');
  // A name that precedes a bracket is a function.
  const metrics = [...rest.matchAll(/[a-zA-Z_:][a-zA-Z0-9_:]*(?![a-zA-Z0-9_:]*\s*\()/g)].map(([name]) => name);
  return { metrics, labels };
}
