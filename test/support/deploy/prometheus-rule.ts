const HEAD = `# Generated from docker/observability/rules.yaml by \`npm run docs\`.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: gatehouse
  labels:
    app.kubernetes.io/name: gatehouse
spec:
`;

/** The content of deploy/kubernetes/monitoring/rules.yaml, from the rules in docker/observability. */
export const prometheusRule = (rules: string): string =>
  HEAD + rules.slice(rules.indexOf('groups:')).replace(/^(?=.)/gm, '  ');
