import { inSrc, type Law } from './law.js';

const CAP = 250;
/** In characters, as Prettier counts them. */
const WIDTH = 120;
const everywhere = (): boolean => true;
const constant = (name: string): string => `const ${name} = 1;`;
const lines = (count: number): string => 'export const x = 1;\n'.repeat(count);

/** Rules for the size and the names of files (docs/architecture.md, sections 1 and 9). */
export const fileLaws: readonly Law[] = [
  {
    rule: `a file stays under ${CAP} lines`,
    applies: everywhere,
    find: ({ text }) => {
      const count = text.replace(/\n$/, '').split('\n').length;
      return count < CAP ? [] : [`${count} lines`];
    },
    refuses: [['src/kernel/long.ts', lines(CAP)]],
    accepts: [['src/kernel/short.ts', lines(CAP - 1)]],
  },
  {
    rule: `no line is longer than ${WIDTH} characters`,
    applies: everywhere,
    find: ({ text }) =>
      text.split('\n').flatMap((line, index) => (line.length > WIDTH ? [`line ${index + 1}: ${line.length}`] : [])),
    refuses: [
      ['test/e2e/x.e2e-spec.ts', `const x = '${'x'.repeat(WIDTH)}';\n`],
      ['bench/x.ts', `const x = 1;\n//${' '.repeat(WIDTH - 1)}`],
      ['src/auth/x.spec.ts', `${' '.repeat(WIDTH + 1)}\n`],
      ['schematics/x.ts', `${' '.repeat(WIDTH + 1)}\n`],
      ['dev/x.ts', `${' '.repeat(WIDTH + 1)}\n`],
      ['console/src/x.tsx', `${' '.repeat(WIDTH + 1)}\n`],
    ],
    accepts: [['bench/x.ts', `//${'é'.repeat(WIDTH - 2)}\n`]],
  },
  {
    rule: 'a limit is named MAX_ or MIN_, not by a superlative',
    applies: everywhere,
    find: ({ text }) =>
      [
        ...text.matchAll(
          /\bconst ((?:MOST|LEAST|(?:LARG|LONG|GREAT|DEEP|SHORT|SMALL|BIGG|HIGH|LOW)EST)(?:_[A-Z_]+)?)\b/g,
        ),
      ].map(([, name]) => name!),
    refuses: [
      ['src/kernel/x.ts', constant('MOST_BYTES')],
      ['test/support/x.ts', constant('LONGEST')],
    ],
    accepts: [['src/kernel/x.ts', 'const MAX_BYTES = 1;\nconst MIN_BYTES = 1;']],
  },
  {
    rule: 'no folder is a junk drawer',
    applies: everywhere,
    find: ({ path }) =>
      path.split('/').filter((folder) => /^(common|shared|utils?|types|helpers?|lib|misc)$/.test(folder)),
    refuses: [
      ['src/common/x.ts', ''],
      ['src/operations/keys/utils/x.ts', ''],
      ['test/shared/x.ts', ''],
    ],
    accepts: [['test/support/x.ts', '']],
  },
  {
    rule: 'no file is a barrel',
    // A workspace has exactly one face, its index.ts.
    applies: (path) => !/^packages\/[^/]+\/src\/index\.ts$/.test(path),
    find: ({ path, text }) => [
      ...(path.endsWith('/index.ts') && !path.startsWith('schematics/') ? ['named index.ts'] : []),
      ...(inSrc(path)
        ? [...text.matchAll(/^export\s[^;=(]*\bfrom\s+'[^']+'/gm)].map(() => 're-exports what another file defines')
        : []),
    ],
    refuses: [
      ['src/billing/index.ts', ''],
      ['src/billing/face.ts', "export * from './ledger/x.js';"],
      ['src/billing/face.ts', "export {\n  x,\n  y,\n} from './ledger/x.js';"],
      ['src/billing/face.ts', "export type { X } from './ledger/x.js';"],
    ],
    accepts: [
      ['packages/models/src/index.ts', "export * from './x.ts';"],
      ['src/billing/face.ts', "import { x } from './x.js';\nexport const y = x;\nexport const from = 'b';"],
    ],
  },
  {
    rule: 'a file name is lower-case words and a kind that says what the file is',
    // The generator of migrations chooses their names.
    applies: (path) => !path.startsWith('src/database/migrations/'),
    find: ({ path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.tsx?$/i.test(name) || name !== name.toLowerCase())
        return ['not kebab-case.kind.ts'];
      return /\.(util|utils|helper|helpers|manager|impl|types|common)\.ts$/.test(name)
        ? ['a kind without meaning']
        : [];
    },
    refuses: [
      ['src/kernel/Money.ts', ''],
      ['src/kernel/money_rounding.ts', ''],
      ['src/kernel/money.util.ts', ''],
      ['console/src/pages/KeyPage.tsx', ''],
    ],
    accepts: [
      ['src/kernel/money.ts', ''],
      ['src/operations/keys/keys.request.dto.ts', ''],
      ['test/e2e/sign-in.e2e-spec.ts', ''],
      ['console/src/pages/keys/keys.page.tsx', ''],
      ['src/database/migrations/Migration20261120120000_initial.ts', ''],
    ],
  },
];
