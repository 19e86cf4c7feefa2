import { isIP } from 'node:net';

/** Parsers for `@Setting`: each throws an `Error` whose message completes "must be …". */

/** Any text. */
export const text = (raw: string): string => raw;

/** A secret of at least 32 characters, too long to be guessed. */
export const secret = (raw: string): string => {
  if (raw.length < 32) throw new Error('at least 32 characters');
  return raw;
};

/** Warns about a `secret` that is the example of the documentation, or has fewer than 8 different characters. */
export const warnIfGuessable =
  (example: string) =>
  (value: string): string | undefined =>
    value !== '' && (value === example || new Set(value).size < 8)
      ? 'can be guessed; make one with: openssl rand -hex 32'
      : undefined;

/** A whole number between `min` and `max`, both included. */
export const integer =
  (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  (raw: string): number => {
    const value = /^-?\d+$/.test(raw) ? Number(raw) : NaN;
    if (!Number.isSafeInteger(value) || value < min || value > max) {
      throw new Error(
        max === Number.MAX_SAFE_INTEGER
          ? `a whole number from ${min}`
          : `a whole number from ${min} to ${max}`,
      );
    }
    return value;
  };

const BYTE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KB: 2 ** 10,
  MB: 2 ** 20,
  GB: 2 ** 30,
  TB: 2 ** 40,
};

/** A number of bytes: digits, or digits and a unit as in `20GB`, where 1 KB is 1,024 bytes. */
export const bytes = (raw: string): number => {
  const [, count = '', unit = ''] = /^(\d{1,16})\s?(KB|MB|GB|TB)?$/i.exec(raw) ?? [];
  const value = count === '' ? NaN : Number(count) * (BYTE_UNITS[unit.toUpperCase()] ?? NaN);
  if (!Number.isSafeInteger(value)) throw new Error('a number of bytes such as 500000000, 500MB or 20GB');
  return value;
};

/** A TCP port. */
export const port = integer(1, 65_535);

/** `true` or `false`; `on` and `off` mean the same. */
export const flag = (raw: string): boolean => {
  const isOn = raw === 'true' || raw === 'on';
  if (!isOn && raw !== 'false' && raw !== 'off') throw new Error('true or false');
  return isOn;
};

/** One of the given words. */
export const oneOf =
  <const Words extends readonly string[]>(...words: Words) =>
  (raw: string): Words[number] => {
    const word = words.find((candidate) => candidate === raw);
    if (word === undefined) throw new Error(`one of ${words.join(', ')}`);
    return word;
  };

/** An absolute URL with one of the given schemes; slashes at its end are removed. */
export const url =
  (...schemes: string[]) =>
  (raw: string): string => {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\/./i.exec(raw)?.[1]?.toLowerCase();
    if (!scheme || !schemes.includes(scheme))
      throw new Error(`a URL that begins with ${schemes.map((s) => `${s}://`).join(' or ')}`);
    if (!isReadable(raw))
      throw new Error('a valid URL; percent-encode special characters in its user and password');
    return raw.replace(/(?<!\/)\/+$/, '');
  };

/** An http or https address on which links are built: without user, query and fragment. */
export const webAddress = (raw: string): string => {
  const address = url('http', 'https')(raw);
  const { username, password, search, hash } = new URL(address);
  if (username || password || search || hash || /[?#]$/.test(address))
    throw new Error('an http:// or https:// address without user, query or fragment');
  return address;
};

/** The URL of a PostgreSQL database; `?host=/folder` names the folder of its socket. */
export const postgresUrl = (raw: string): string => {
  const address = url('postgresql', 'postgres')(raw);
  if (new URL(address).pathname.length < 2) throw new Error('a URL that names the database after the host');
  return address;
};

function isReadable(raw: string): boolean {
  try {
    const { username, password, hostname, pathname } = new URL(raw);
    [username, password, hostname, pathname].forEach(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
}

/** Words separated by commas, without empty ones. */
export const list = (raw: string): readonly string[] =>
  raw
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Addresses and networks in CIDR notation, separated by commas. */
export const networks = (raw: string): readonly string[] => {
  const words = list(raw);
  for (const word of words) {
    const [address = '', bits, ...rest] = word.split('/');
    const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const wrong = bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width);
    if (width < 0 || wrong || rest.length > 0) throw new Error('addresses or networks in CIDR notation');
  }
  return words;
};

/** Warns about `networks` that contain all addresses: every client would count as a trusted proxy. */
export const warnIfAllTrusted = (words: readonly string[]): string | undefined =>
  words.some((word) => /\/0+$/.test(word))
    ? 'trusts every address as a proxy: then any client can claim any address, and limits and bans have no effect'
    : undefined;

/** A number from 0 to 1. */
export const ratio = (raw: string): number => {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(raw) ? Number(raw) : NaN;
  if (!(value >= 0 && value <= 1)) throw new Error('a number from 0 to 1');
  return value;
};

/** HTTP headers as `name=value`, separated by commas, the values percent-encoded where they need it. */
export const headers = (raw: string): Readonly<Record<string, string>> => {
  const pairs = list(raw).map((pair) => {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+)\s*=\s*([\x21-\x7E][\x20-\x7E]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw new Error('name=value pairs separated by commas');
    return [name.toLowerCase(), decoded(value)] as const;
  });
  return Object.fromEntries(pairs);
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('percent-encoded');
  }
}
