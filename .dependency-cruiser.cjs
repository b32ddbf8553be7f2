/**
 * The directions of the house (docs/architecture.md, section 2), held by dependency-cruiser.
 * Read the tables; everything below them is generated. `npm run architecture` runs it, and
 * test/architecture/rooms.spec.ts proves that every rule bites.
 */

/** Room → the rooms directly below it. What lies below those may be imported too. A path with a slash opens only that folder. */
const ROOMS = {
  kernel: [],
  machine: [],
  formats: ['kernel'],
  config: ['kernel'],
  telemetry: ['kernel', 'config'],
  database: ['config', 'machine', 'telemetry'],

  tenancy: ['database'],
  audit: ['database'],
  catalogue: ['database'],
  usage: ['database'],

  billing: ['usage'],
  secrets: ['audit'],
  channels: ['secrets', 'tenancy', 'providers/ports', 'rate-limits'],
  vaults: ['secrets'],
  events: ['secrets', 'usage'],
  egress: ['vaults'],
  'rate-limits': ['kernel', 'config'],
  auth: ['tenancy', 'database', 'rate-limits'],
  sessions: ['auth', 'audit'],
  members: ['sessions'],
  applications: ['auth', 'secrets'],
  identity: ['members'],

  storage: ['kernel', 'config', 'machine'],
  providers: ['kernel', 'config', 'formats'],
  runtimes: ['kernel', 'config', 'machine'],
  http: ['kernel', 'config', 'telemetry'],
  'text-edge': ['inference', 'http', 'formats'],

  interns: ['egress', 'runtimes', 'auth'],
  files: ['storage', 'tenancy'],

  inference: ['catalogue', 'channels', 'formats', 'providers/ports', 'billing', 'events', 'rate-limits', 'secrets', 'usage'],

  // Operations reach vendors through inference only, which is why `providers` is not in their row.
  operations: ['inference', 'auth', 'sessions', 'identity', 'applications', 'text-edge', 'http', 'interns', 'files'],
  operator: ['inference', 'auth', 'sessions', 'members', 'http', 'interns', 'files', 'providers'],
};

/** The files that compose the house: they see every room's face. */
const COMPOSITION = ['main.ts', 'start.ts', 'app.module.ts', 'service.ts', 'serve.ts', 'live-adapters.ts', 'startup-fault.ts', 'welcome.ts', 'app-server.ts', 'worker.main.ts', 'worker.ts', 'worker.module.ts', 'workers.ts', 'worker-messages.ts'];

/** The one of them that lists the adapters, so it alone sees their folder. */
const ADAPTER_LIST = 'live-adapters.ts';

/** Subfolders that belong to a room's face. Every other subfolder is private to its room. */
const OPEN_FOLDERS = ['catalogue/names', 'database/entities', 'formats/[^/]+', 'http/[^/]+', 'inference/capabilities', 'inference/images', 'kernel/[^/]+', 'providers/ports'];

/** Packages and built-ins that open connections → the places that may. Types alone open nothing and are free. */
const OUTBOUND = {
  builtins: ['http', 'https', 'http2', 'net', 'tls', 'dgram'],
  packages: ['undici', 'axios', 'got', 'node-fetch', 'ky', 'superagent', 'openid-client', 'oauth4webapi', 'ws', 'ioredis', 'redis', '@clickhouse/client', '@aws-sdk/client-s3', 'nodemailer'],
  // kernel/addresses/public-address.ts asks node:net what an address is, http/edge/edge-adapter.ts, http/edge/listening.ts, http/metrics/metrics-listener.ts and kernel/processes/local-server.ts make servers that listen: none opens a connection. machine/socket-folder.ts asks whether a socket of this machine is listened on.
  places: ['^src/providers/wire/', '^src/egress/', '^src/runtimes/agent/', '\\.driver\\.ts$', '/drivers/', '^src/kernel/addresses/public-address\\.ts$', '^src/machine/socket-folder\\.ts$', '^src/kernel/processes/local-server\\.ts$', '^src/http/(edge/edge-adapter|edge/listening|metrics/metrics-listener)\\.ts$'],
};

/** A vendor's own packages, which only that vendor's adapter may use. */
const VENDOR_PACKAGES = ['@ai-sdk/', 'openai/', '@openrouter/', '@anthropic-ai/', '@google/', '@aws-sdk/client-polly/', 'elevenlabs/', 'replicate/'];

// ── generated from the tables ───────────────────────────────────────────────────────────────────────────────

const TEST_CODE = '\\.(spec|fake)\\.ts$';

function visibleFrom(room) {
  const seen = new Set();
  const visit = (name) => {
    for (const below of ROOMS[name] ?? []) {
      // A single folder of a room is opened to the one room that names it, not to those above.
      if (below.includes('/') && name !== room) continue;
      if (!seen.has(below)) {
        seen.add(below);
        visit(below);
      }
    }
  };
  visit(room);
  return [...seen];
}

const roomRules = Object.keys(ROOMS).map((room) => ({
  name: `${room}-looks-only-down`,
  comment: `${room} may import ${visibleFrom(room).join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/[^/]+/', pathNot: [room, ...visibleFrom(room)].map((folder) => `^src/${folder}/`) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'every-room-is-in-the-table',
      comment: 'a new room is a decision: give it a row in ROOMS and a line in docs/architecture.md',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: Object.keys(ROOMS).map((room) => `^src/${room}/`) },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'kernel is plain TypeScript: no packages, only what Node itself brings',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: TEST_CODE },
      to: { path: '.', pathNot: '^src/kernel/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'formats-import-kernel-only',
      comment: 'a wire format is pure: no packages, no prices, no HTTP',
      severity: 'error',
      from: { path: '^src/formats/', pathNot: TEST_CODE },
      to: { path: '.', pathNot: '^src/(formats|kernel)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'workspaces-import-nothing-of-the-service',
      comment: 'a workspace can be read, tested and replaced without the service',
      severity: 'error',
      from: { path: '^packages/', pathNot: TEST_CODE },
      to: { path: '^(src|test)/' },
    },
    {
      name: 'workspaces-are-used-by-their-face',
      comment: "import the workspace's name: its index.ts is its face",
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^packages/', pathNot: '^packages/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'a-rooms-subfolders-are-private',
      comment: "import a file of the room's root instead: it is the room's face",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/[^/]+/', pathNot: ['^src/$1/', ...OPEN_FOLDERS.map((folder) => `^src/${folder}/`)] },
    },
    {
      name: 'composition-sees-faces-only',
      comment: 'the composition sees every room, but through its root files',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: `^src/${ADAPTER_LIST}$` },
      to: { path: '^src/[^/]+/[^/]+/', pathNot: OPEN_FOLDERS.map((folder) => `^src/${folder}/`) },
    },
    {
      name: 'the-adapter-list-opens-adapters-only',
      comment: `${ADAPTER_LIST} lists the adapters; for the rest it sees faces as the other files of the composition do`,
      severity: 'error',
      from: { path: `^src/${ADAPTER_LIST}$` },
      to: { path: '^src/[^/]+/[^/]+/', pathNot: [...OPEN_FOLDERS, 'providers/adapters'].map((folder) => `^src/${folder}/`) },
    },
    {
      name: 'nothing-imports-the-composition',
      comment: 'a room that needs a file of the composition looks up',
      severity: 'error',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'only-composition-lies-in-the-root',
      comment: `the root of src holds ${COMPOSITION.join(' and ')}; everything else lives in a room`,
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+\\.ts$', pathNot: COMPOSITION.map((file) => `^src/${file.replace('.', '\\.')}$`) },
    },
    {
      name: 'operation-groups-never-import-each-other',
      comment: 'what two groups share becomes a room',
      severity: 'error',
      from: { path: '^src/operations/([^/]+)/' },
      to: { path: '^src/operations/', pathNot: '^src/operations/$1/' },
    },
    {
      name: 'controllers-and-dtos-never-see-tables',
      comment: 'the service maps entities to plain values; the wire file maps those to JSON',
      severity: 'error',
      from: { path: '\\.(controller|dto)\\.ts$' },
      to: { path: '^src/database/|node_modules/(@mikro-orm|pg)/' },
    },
    {
      name: 'adapters-are-private-to-their-vendor',
      comment: 'what two adapters share lies in providers/wire or in the root of providers',
      severity: 'error',
      from: { path: '^src/providers/adapters/([^/]+)/' },
      to: { path: '^src/providers/adapters/[^/]+/', pathNot: '^src/providers/adapters/$1/' },
    },
    {
      name: 'vendor-packages-only-in-adapters',
      comment: 'no other room knows that a vendor exists',
      severity: 'error',
      from: { pathNot: ['^src/providers/adapters/', TEST_CODE] },
      to: { path: `node_modules/(${VENDOR_PACKAGES.join('|')})` },
    },
    {
      name: 'outbound-only-in-wire-egress-and-drivers',
      comment: 'whoever opens a connection is found in one place; take the port of that room instead',
      severity: 'error',
      from: { path: '^src/', pathNot: [...OUTBOUND.places, TEST_CODE] },
      to: {
        path: [`^(node:)?(${OUTBOUND.builtins.join('|')})$`, `node_modules/(${OUTBOUND.packages.join('|')})/`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-cycles',
      comment: 'type-only cycles count: two files that know each other are one',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-barrels',
      comment: 'import the file that defines the thing',
      severity: 'error',
      from: {},
      to: { path: '/index\\.ts$', pathNot: ['node_modules', '^packages/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'production-code-knows-no-tests',
      comment: 'specs, fakes and test support stay out of what is shipped',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST_CODE },
      to: { path: ['^test/', TEST_CODE] },
    },
    {
      name: 'production-code-needs-no-dev-dependency',
      comment: 'it would be missing after npm ci --omit=dev',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST_CODE },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'every-import-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '^test/'] },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};

// Not enumerable: dependency-cruiser refuses options that it does not know. test/architecture reads it.
Object.defineProperty(module.exports, 'ROOMS', { value: ROOMS });
