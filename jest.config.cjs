/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/tools/jest/one-realm-environment.cjs',
  testEnvironmentOptions: {
    customExportConditions: ['@vitrine/source', 'node', 'node-addons', 'require', 'default'],
  },
  runtime: '<rootDir>/tools/jest/shared-packages-runtime.cjs',
  testSequencer: '<rootDir>/tools/jest/longest-first-sequencer.cjs',
  setupFiles: ['<rootDir>/tools/jest/open-loaders.cjs'],
  globalSetup: '<rootDir>/tools/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.cjs',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        // As in production: Jest on Node 20 can't require ES modules.
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
  // The compiler demands the extension in `import()` of our own files; Jest looks for the source.
  moduleNameMapper: { '^(\\./s3-(?:storage|calls)|\\.\\./image/svg/svg)\\.js$': '$1' },
  // Under load, starting processes takes many times as long as it should. A test that hangs still ends.
  testTimeout: 600_000,
  // Twice the cores of a small machine: tests often wait for processes, browsers and timers.
  maxWorkers: 4,
};
