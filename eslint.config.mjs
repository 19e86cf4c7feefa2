import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** What each room may import: the arrows of docs/architecture.md. A test compares them with this table. */
const rooms = JSON.parse(readFileSync(new URL('tools/rooms.json', import.meta.url), 'utf8'));
const depConstraints = Object.entries(rooms).map(([room, allowed]) => ({
  sourceTag: `scope:${room}`,
  onlyDependOnLibsWithTags: [room, ...allowed].map((name) => `scope:${name}`),
}));

const boundaries = (constraints, ignoredCircularDependencies = [], allow = []) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      enforceBuildableLibDependency: false,
      allow,
      depConstraints: constraints,
      ignoredCircularDependencies,
    },
  ],
});

const specFiles = [
  '**/*.spec.ts',
  '**/*.spec.tsx',
  '**/*.contract.ts',
  '**/contract/*.ts',
  '**/test/**/*.ts',
  'libs/testing/**/*.ts',
];

/** The specs of libraries that libs/testing uses may use it too, because specs are in no build. */
const testedWithTesting = Object.keys(rooms)
  .filter((room) => room !== 'testing')
  .map((room) => [`@vitrine/${room}`, '@vitrine/testing']);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/*.d.ts', '.nx/**', '.data/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    // With a pattern that takes more than linear time, one short text can stop a process.
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'certain' }],
      'regexp/no-super-linear-move': ['error', { report: 'certain' }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@nx': nx },
    rules: {
      ...boundaries(depConstraints),
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read configuration through the typed classes of @vitrine/runtime.',
        },
        {
          object: 'process',
          property: 'exit',
          message: 'Stop by draining: set process.exitCode and let the process end.',
        },
      ],
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'tools/*/src/**/*.ts'],
    ignores: [
      '**/*.entity.ts',
      '**/*.repository.ts',
      // The base class of two repositories.
      'libs/domain/src/base/daily-counts/daily-counts.ts',
      'libs/database/**',
      'libs/testing/**',
      ...specFiles,
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'typeorm',
              message: 'The ORM stays in entities, repositories and libs/database.',
            },
          ],
        },
      ],
    },
  },
  {
    // Decorators load class-validator and Nest's OpenAPI module, which processes without an API should not load.
    files: ['libs/domain/**', 'apps/website/**', 'apps/media-processor/**', 'apps/moderation-service/**'].map(
      (folder) => `${folder}/*.{ts,tsx}`,
    ),
    ignores: specFiles,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@vitrine/contracts/api',
              allowTypeImports: true,
              message: 'Import types only: its classes are for the processes with an API.',
            },
          ],
        },
      ],
    },
  },
  {
    // Tests process only our own texts.
    files: [...specFiles, 'tools/test/**/*.ts'],
    rules: {
      'regexp/no-super-linear-backtracking': 'off',
      'regexp/no-super-linear-move': 'off',
    },
  },
  {
    files: specFiles,
    rules: {
      'no-restricted-properties': 'off',
      ...boundaries(
        depConstraints.map((c) => ({
          ...c,
          // Black-box suites use the public client if they test it.
          onlyDependOnLibsWithTags: [...c.onlyDependOnLibsWithTags, 'scope:testing', 'scope:client'],
        })),
        testedWithTesting,
      ),
    },
  },
  {
    // The tests of the workspace import what they test, also from inside the products.
    files: ['tools/test/**/*.ts'],
    rules: boundaries(
      [{ sourceTag: 'scope:tools', onlyDependOnLibsWithTags: ['*'] }],
      [],
      [String.raw`^(?:\.\./)+(?:admin|bench|chaos|demo|dev)/src/`],
    ),
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        URL: 'readonly',
        globalThis: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
      },
    },
  },
);
