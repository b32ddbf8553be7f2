/** A file that imports from another room, and the files that the import needs to resolve. */
export interface Crossing {
  readonly from: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface RefusedCrossing extends Crossing {
  readonly rule: string;
}

const EMPTY = 'export const x = 1;\n';

/** `from` imports `specifier`. `target` is the imported file, if it must be created. */
function crossing(from: string, specifier: string, target?: string, kind = 'import'): Crossing {
  const statement =
    kind === 'type'
      ? `import type * as y from '${specifier}';\nexport type Y = typeof y;\n`
      : `import * as y from '${specifier}';\nexport { y };\n`;
  return { from, files: { ...(target ? { [target]: EMPTY } : {}), [from]: statement } };
}

const refused = (rule: string, it: Crossing): RefusedCrossing => ({ rule, ...it });

/** For each room, one room that it must not import. */
const UPWARD: Readonly<Record<string, string>> = {
  kernel: 'config',
  machine: 'config',
  config: 'database',
  telemetry: 'database',
  database: 'billing',
  tenancy: 'audit',
  audit: 'usage',
  catalogue: 'providers',
  usage: 'billing',
  billing: 'catalogue',
  secrets: 'vaults',
  channels: 'inference',
  vaults: 'egress',
  events: 'vaults',
  egress: 'auth',
  'rate-limits': 'database',
  auth: 'http',
  sessions: 'http',
  members: 'http',
  applications: 'http',
  identity: 'http',
  storage: 'database',
  files: 'http',
  formats: 'providers',
  providers: 'secrets',
  runtimes: 'egress',
  http: 'auth',
  'text-edge': 'operations',
  interns: 'inference',
  inference: 'providers',
  operations: 'providers',
  operator: 'operations',
};

export const crossingsRefused: readonly RefusedCrossing[] = [
  ...Object.entries(UPWARD).map(([room, above]) =>
    refused(
      `${room}-looks-only-down`,
      crossing(`src/${room}/looks-up.service.ts`, `../${above}/some.service.js`, `src/${above}/some.service.ts`),
    ),
  ),
  refused(
    'operations-looks-only-down',
    crossing(
      'src/operations/speech/port.service.ts',
      '../../providers/ports/some.port.js',
      'src/providers/ports/some.port.ts',
    ),
  ),
  refused('kernel-looks-only-down', crossing('src/kernel/by-type.ts', '../auth/some.js', 'src/auth/some.ts', 'type')),
  refused(
    'every-room-is-in-the-table',
    crossing('src/operations/attic/attic.service.ts', '../../attic/some.js', 'src/attic/some.ts'),
  ),
  refused('kernel-imports-nothing', crossing('src/kernel/with-package.ts', 'rxjs')),
  refused('formats-import-kernel-only', crossing('src/formats/chat/with-package.ts', 'rxjs')),
  refused(
    'a-rooms-subfolders-are-private',
    crossing(
      'src/inference/peeks.service.ts',
      '../billing/ledger/some.service.js',
      'src/billing/ledger/some.service.ts',
    ),
  ),
  refused(
    'composition-sees-faces-only',
    crossing('src/main.ts', './providers/adapters/acme/acme.adapter.js', 'src/providers/adapters/acme/acme.adapter.ts'),
  ),
  refused(
    'the-adapter-list-opens-adapters-only',
    crossing('src/live-adapters.ts', './providers/wire/some.js', 'src/providers/wire/some.ts'),
  ),
  refused(
    'nothing-imports-the-composition',
    crossing('src/operator/boots.ts', '../app.module.js', 'src/app.module.ts'),
  ),
  refused('only-composition-lies-in-the-root', crossing('src/app.module.ts', './loose.js', 'src/loose.ts')),
  refused(
    'operation-groups-never-import-each-other',
    crossing(
      'src/operations/keys/keys.service.ts',
      '../models/models.service.js',
      'src/operations/models/models.service.ts',
    ),
  ),
  refused(
    'controllers-and-dtos-never-see-tables',
    crossing(
      'src/operations/keys/keys.controller.ts',
      '../../database/entities/api-key.entity.js',
      'src/database/entities/api-key.entity.ts',
    ),
  ),
  refused('controllers-and-dtos-never-see-tables', crossing('src/operations/keys/dto/key.dto.ts', '@mikro-orm/core')),
  refused(
    'adapters-are-private-to-their-vendor',
    crossing(
      'src/providers/adapters/acme/images.adapter.ts',
      '../zenith/some.js',
      'src/providers/adapters/zenith/some.ts',
    ),
  ),
  refused('vendor-packages-only-in-adapters', crossing('src/inference/calls.service.ts', '@ai-sdk/xai')),
  refused('outbound-only-in-wire-egress-and-drivers', crossing('src/storage/remote.service.ts', 'undici')),
  refused('outbound-only-in-wire-egress-and-drivers', crossing('src/inference/direct.service.ts', 'node:https')),
  refused(
    'workspaces-import-nothing-of-the-service',
    crossing('packages/some-models/src/index.ts', '../../../src/kernel/some.js', 'src/kernel/some.ts'),
  ),
  refused(
    'workspaces-are-used-by-their-face',
    crossing(
      'src/providers/adapters/acme/inner.adapter.ts',
      '../../../../packages/some-models/src/inner.js',
      'packages/some-models/src/inner.ts',
    ),
  ),
  refused('no-cycles', {
    // The cruiser reports a cycle only once, at the first member that it visits.
    from: 'src/tenancy/egg.ts',
    files: {
      'src/tenancy/hen.ts': "import type { Egg } from './egg.js';\nexport interface Hen { egg: Egg }\n",
      'src/tenancy/egg.ts': "import type { Hen } from './hen.js';\nexport interface Egg { hen: Hen }\n",
    },
  }),
  refused('no-barrels', crossing('src/audit/reads-barrel.ts', './index.js', 'src/audit/index.ts')),
  refused(
    'production-code-knows-no-tests',
    crossing('src/usage/uses-fake.ts', './clock.fake.js', 'src/usage/clock.fake.ts'),
  ),
  refused('production-code-needs-no-dev-dependency', crossing('src/usage/uses-dev.ts', 'fast-check')),
  refused('every-import-resolves', crossing('src/usage/lost.ts', './nowhere.js')),
];

export const crossingsAllowed: readonly Crossing[] = [
  crossing('src/inference/reaches-far-down.service.ts', '../kernel/some.js', 'src/kernel/some.ts'),
  crossing(
    'src/inference/takes-port.service.ts',
    '../providers/ports/some.port.js',
    'src/providers/ports/some.port.ts',
  ),
  crossing('src/operations/keys/keys.module.ts', '../../auth/some.decorator.js', 'src/auth/some.decorator.ts'),
  crossing(
    'src/operations/keys/reads-entity.service.ts',
    '../../database/entities/api-key.entity.js',
    'src/database/entities/api-key.entity.ts',
  ),
  crossing('src/operations/operations.ts', './keys/keys.module.js'),
  crossing('src/billing/opens-own-folder.ts', './ledger/some.service.js', 'src/billing/ledger/some.service.ts'),
  crossing('src/service.ts', './providers/some.service.js'),
  crossing('src/http/types-only.ts', 'node:http', undefined, 'type'),
  crossing('src/providers/wire/pool.ts', 'undici'),
  crossing('src/storage/s3.driver.ts', 'node:https'),
  crossing('src/kernel/uses-node.ts', 'node:crypto'),
  crossing('src/kernel/money.spec.ts', 'fast-check'),
];
