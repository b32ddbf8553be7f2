import { readFile, writeFile } from 'node:fs/promises';
import { composeFile, configurationPage, environmentExample } from '../../../src/config/variables-page.js';
import { errorsPage } from '../../../src/http/errors/errors-page.js';
import { chatErrorsSection } from '../../../src/interns/intern-chat.errors.js';
import { lifecyclePage } from '../../../src/interns/lifecycle.js';
import { prometheusRule } from '../deploy/prometheus-rule.js';

// `npm run docs`: writes the pages that are generated from the code.
await writeFile('docs/configuration.md', configurationPage());
await writeFile('.env.example', environmentExample());
await writeFile('docs/errors.md', errorsPage() + chatErrorsSection());
await writeFile('docs/intern-lifecycle.md', lifecyclePage());
await writeFile('docker/compose.yaml', composeFile(await readFile('docker/compose.yaml', 'utf8')));
const rules = await readFile('docker/observability/rules.yaml', 'utf8');
await writeFile('deploy/kubernetes/monitoring/rules.yaml', prometheusRule(rules));
