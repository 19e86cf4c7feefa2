import { createConfig, lintFromString } from '@redocly/openapi-core';

/** What Redocly's recommended rules have against a document, warnings too: one line each, none where all is well. */
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
