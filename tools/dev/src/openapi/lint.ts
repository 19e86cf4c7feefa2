import { createConfig, lintFromString } from '@redocly/openapi-core';

/** The problems that Redocly's recommended rules find in a document, including warnings: one line each. */
export async function lintProblems(document: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    // The committed document has the addresses of a default installation.
    rules: { 'no-server-example.com': 'off' },
  });
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId} at ${location.map(({ pointer }) => pointer ?? '').join(', ')}: ${message}`,
  );
}
