import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ADMIN = join(__dirname, '../../../admin/dist/main.js');

/** Makes an API token for an account with the `admin` command. `isNew` accounts are created first. */
export async function createToken(
  databaseUrl: string,
  username: string,
  { isNew = false } = {},
): Promise<string> {
  const admin = async (...args: readonly string[]): Promise<string> => {
    // The command gets this database and none of the caller's settings.
    // eslint-disable-next-line no-restricted-properties
    const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
    return (await promisify(execFile)(process.execPath, [ADMIN, ...args], { env })).stdout;
  };
  if (isNew) await admin('create-user', username);
  return (await admin('token', username)).trim().split('\n').at(-1) ?? '';
}
