import { QuotasService } from '@vitrine/domain';
import { parse } from '@vitrine/runtime';
import { type AdminCommand, UsageError } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withDomain } from '../command-line/contexts';

export const quota: AdminCommand = {
  name: 'quota',
  usage: 'NAME [--bytes 20GB|default] [--files 10000|default]',
  summary: 'Show or change how many bytes and files an account may store; default: as in the settings.',
  async run(args, { print }) {
    const { NAME, bytes, files } = readArguments(args, { positions: ['NAME'], options: ['bytes', 'files'] });
    const change = {
      bytes: amountOf('--bytes', bytes, parse.bytes),
      files: amountOf('--files', files, parse.integer(0)),
    };
    const isChange = change.bytes !== undefined || change.files !== undefined;
    await withDomain(async (context) => {
      const quotas = context.get(QuotasService);
      const { username, used, limits } = isChange
        ? await quotas.changeQuota(NAME, change)
        : await quotas.findQuota(NAME);
      print(`${username} stores ${used.bytes} of ${limits.bytes ?? 'unlimited'} bytes.`);
      print(`${username} has ${used.files} of ${limits.files ?? 'unlimited'} files.`);
    });
  },
};

/** Undefined if the option is absent, null for `default`. Throws `UsageError`. */
function amountOf(
  option: string,
  text: string | undefined,
  read: (text: string) => number,
): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'default') return null;
  try {
    return read(text);
  } catch (error) {
    throw new UsageError(`${option} must be ${(error as Error).message}, or default.`);
  }
}
