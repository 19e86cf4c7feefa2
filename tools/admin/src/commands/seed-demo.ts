import { randomBytes } from 'node:crypto';
import { readRequest, RegisterRequest } from '@vitrine/contracts/api';
import { Database } from '@vitrine/database';
import { AuditLog, InvalidFieldsError } from '@vitrine/domain';
import { DemoModule, DemoSite, NamesTakenError } from '@vitrine/demo';
import { findVideoTools } from '../video-tools/find-video-tools';
import { type AdminCommand, CommandFailure, UsageError } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withModule } from '../command-line/contexts';

const DEFAULT_SEED = 1;
const MAX_SEED = 1_000_000;
/** 120 random bits, 20 characters. */
const PASSWORD_BYTES = 15;

export const seedDemo: AdminCommand = {
  name: 'seed-demo',
  usage: '[--password P] [--seed N]',
  summary:
    'Create a demo site with people, pictures, posts, comments and votes. A second run changes nothing.',
  async run(args, { print }) {
    const { password, seed } = readArguments(args, { positions: [], options: ['password', 'seed'] });
    const wanted = password ?? randomBytes(PASSWORD_BYTES).toString('base64url');
    const { errors } = readRequest(RegisterRequest, { username: 'demo', password: wanted });
    if (errors) throw new InvalidFieldsError(errors);
    const number = readSeed(seed);
    await withModule(DemoModule, async (context) => {
      const site = context.get(DemoSite);
      if (await isThere(site)) return print('The demo exists already; nothing was changed.');
      await context.get(Database).transaction((tx) =>
        context.get(AuditLog).append(tx, {
          by: null,
          action: 'site.seed_demo',
          subject: { type: 'site', id: null, name: 'demo' },
          detail: { seed: number },
        }),
      );
      const withClips = await takesVideos();
      if (!withClips) print('Videos are refused here, so the demo has no clips.');
      await site.make({ seed: number, password: wanted, withClips, progress: print });
      print('A running Vitrine processes and moderates the pictures now, otherwise at its next start.');
      print('');
      print(`Site: ${site.urls.site} · API: ${site.urls.api}`);
      for (const { username, role = 'user' } of site.people) print(`  ${username.padEnd(16)} ${role}`);
      print(`Password of all accounts: ${wanted}`);
    });
  },
};

/** Whether media-processor finds an ffmpeg. Assumed if it runs on another machine. */
async function takesVideos(): Promise<boolean> {
  // The settings are those of media-processor.
  // eslint-disable-next-line no-restricted-properties
  const tools = await findVideoTools(process.env);
  return tools === null || tools.ffmpeg !== null;
}

async function isThere(site: DemoSite): Promise<boolean> {
  try {
    return await site.isThere();
  } catch (error) {
    throw error instanceof NamesTakenError ? new CommandFailure(error.message) : error;
  }
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SEED;
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > MAX_SEED)
    throw new UsageError(`--seed must be a number from 0 to ${MAX_SEED}.`);
  return seed;
}
