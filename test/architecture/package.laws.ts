import ts from 'typescript';
import { testPackages } from '../support/test-packages/needed-packages.js';
import { gather, type Law } from './law.js';

const PACKAGES = testPackages();

/** The packages that a file may import (decision 0054). */
export const packageLaws: readonly Law[] = [
  {
    rule: 'a package of test/package.json is imported below test only, because `npm ci` does not install it',
    applies: (path) => !path.startsWith('test/'),
    find: ({ tree }) =>
      gather(tree, (node) => {
        const specifier = specifierOf(node);
        const name = PACKAGES.find((one) => specifier === one || specifier?.startsWith(`${one}/`));
        return name && `imports ${name}`;
      }),
    refuses: [
      ['src/http/x.ts', "import OpenAI from 'openai';"],
      ['src/http/x.spec.ts', "import type { Page } from 'playwright-core';"],
      ['src/http/x.ts', "export { format } from 'prettier';"],
      ['bench/x.ts', "const { chromium } = await import('playwright-core');"],
      ['dev/x.ts', "import '@openrouter/sdk/models';"],
      ['console/src/x.tsx', "import { generateText } from 'ai';"],
      ['schematics/x.ts', "import { format } from 'prettier';"],
    ],
    accepts: [
      ['test/e2e/clients/x.e2e-spec.ts', "import OpenAI from 'openai';"],
      ['src/http/x.ts', "import { x } from './ai/x.js';\nconst vendor = 'openai';"],
      ['src/http/x.ts', "import { createXai } from '@ai-sdk/xai';"],
    ],
  },
];

function specifierOf(node: ts.Node): string | undefined {
  const specifier = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : callee(node);
  return specifier && ts.isStringLiteral(specifier) ? specifier.text : undefined;
}

const callee = (node: ts.Node): ts.Expression | undefined =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0] : undefined;
