import type { SettingOptions } from '@vitrine/runtime';

const HEADER = `# Every setting of Vitrine, generated from the configuration classes by: npm run env:example
# Set them in the environment, or copy this file to .env and remove the "# " from the lines that you need.
# npm start needs none of them.
`;

/** The text of .env.example: for each setting its purpose, its default, and an example that is commented out. */
export function renderSettings(settings: readonly SettingOptions<unknown>[]): string {
  return [HEADER, ...settings.map(renderSetting)].join('\n');
}

function renderSetting({ env, why, default: fallback, example }: SettingOptions<unknown>): string {
  return `# ${why}\n# ${renderDefault(fallback)}\n# ${env}=${example}\n`;
}

function renderDefault(fallback: unknown): string {
  if (fallback === undefined) return 'No default.';
  if (typeof fallback === 'function') return 'Default: follows from other settings.';
  const text = Array.isArray(fallback) ? fallback.join(',') : textOf(fallback);
  return text === '' ? 'Default: empty.' : `Default: ${text}`;
}

const textOf = (fallback: unknown): string =>
  typeof fallback === 'object' && fallback !== null
    ? Object.entries(fallback)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(',')
    : String(fallback);
