import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** What each room may import: the arrows of docs/architecture.md, which a test holds against this table. */
const base = ['scope:contracts', 'scope:runtime'];
const rooms = [
  ['scope:contracts', []],
  ['scope:formats', []],
  ['scope:runtime', ['scope:contracts']],
  ['scope:database', base],
  ['scope:storage', base],
  ['scope:messaging', [...base, 'scope:database']],
  ['scope:domain', [...base, 'scope:database', 'scope:messaging', 'scope:storage']],
  ['scope:http', [...base, 'scope:database', 'scope:messaging', 'scope:storage', 'scope:domain']],
  [
    'scope:testing',
    [...base, 'scope:database', 'scope:messaging', 'scope:storage', 'scope:domain', 'scope:formats'],
  ],
  [
    'scope:api-gateway',
    [...base, 'scope:database', 'scope:messaging', 'scope:storage', 'scope:domain', 'scope:http'],
  ],
  [
    'scope:upload-service',
    [
      ...base,
      'scope:database',
      'scope:messaging',
      'scope:storage',
      'scope:domain',
      'scope:http',
      'scope:formats',
    ],
  ],
  ['scope:media-processor', [...base, 'scope:messaging', 'scope:storage']],
  [
    'scope:moderation-service',
    [...base, 'scope:database', 'scope:messaging', 'scope:storage', 'scope:domain'],
  ],
  ['scope:website', base],
  ['scope:tools', [...base, 'scope:database', 'scope:messaging', 'scope:storage', 'scope:domain']],
];
const depConstraints = rooms.map(([sourceTag, allowed]) => ({
  sourceTag,
  onlyDependOnLibsWithTags: [sourceTag, ...allowed],
}));

const boundaries = (constraints) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    { enforceBuildableLibDependency: false, allow: [], depConstraints: constraints },
  ],
});

const specFiles = ['**/*.spec.ts', '**/test/**/*.ts', 'libs/testing/**/*.ts'];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/*.d.ts', '.nx/**', '.data/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
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
    files: ['apps/**/*.ts', 'libs/**/*.ts', 'tools/src/**/*.ts'],
    ignores: ['**/*.entity.ts', '**/*.repository.ts', 'libs/database/**', 'libs/testing/**', ...specFiles],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'typeorm',
              message: 'The ORM stays in entities, repositories, migrations and libs/database.',
            },
          ],
        },
      ],
    },
  },
  {
    files: specFiles,
    rules: {
      'no-restricted-properties': 'off',
      ...boundaries(
        depConstraints.map((c) => ({
          ...c,
          onlyDependOnLibsWithTags: [...c.onlyDependOnLibsWithTags, 'scope:testing'],
        })),
      ),
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
);
