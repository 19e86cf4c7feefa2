/** ESM-only packages that Jest on Node 20 cannot `require()`; @swc/jest turns them into CommonJS. */
const esmPackages = [
  '@nestjs',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  '@borewit',
  'mediabunny',
  'fast-check',
  'pure-rand',
  'thumbhash',
  'jxl-oxide-wasm',
];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testEnvironmentOptions: {
    customExportConditions: ['@vitrine/source', 'node', 'node-addons', 'require', 'default'],
  },
  resolver: '<rootDir>/jest.resolver.cjs',
  setupFiles: ['<rootDir>/tools/jest/open-loaders.cjs'],
  globalSetup: '<rootDir>/tools/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.cjs',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '^.+\\.(ts|tsx|js|mjs)$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', tsx: true, decorators: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
            react: { runtime: 'automatic', importSource: 'preact' },
          },
        },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  testTimeout: 30_000,
  maxWorkers: 2,
};
