import { writeFile } from 'node:fs/promises';
import { configurationPage, environmentExample } from '../../src/config/variables-page.js';
import { errorsPage } from '../../src/http/errors-page.js';
import { lifecyclePage } from '../../src/interns/lifecycle-page.js';

// `npm run docs`: writes the pages that are made from the code.
await writeFile('docs/configuration.md', configurationPage());
await writeFile('.env.example', environmentExample());
await writeFile('docs/errors.md', errorsPage());
await writeFile('docs/intern-lifecycle.md', lifecyclePage());
